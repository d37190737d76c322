"""The albums of the demo collection, and the titles of their songs. All names are invented."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

# A line is an album: artist | album | year | genre | script of the titles. Without a script, the titles
# are Latin. `Open Road`, which make-demo-album.sh makes, is a further album.
ALBUMS = """
Alder & Ash | Low Tide Letters | 2019 | Folk
Alder & Ash | Winter Ferry | 2021 | Folk
Amber Junction | Platform Nine Minutes | 2017 | Rock
Bärbel Krüger | Über die Brücke | 2012 | Pop
Blue Kettle Trio | Second Cup | 2001 | Jazz
Blue Kettle Trio | Slow Boil | 1998 | Jazz
Cedar Row | Porch Lights | 2015 | Folk
Chez Margaux | Café du Canal | 2009 | Chanson
Delta Orchard | Pear Season | 2018 | Rock
East Pier | Gulls at Closing Time | 2011 | Electronic
Ensemble Querfeld | Feldwege | 2007 | Classical
Ensemble Querfeld | Waldrand | 2010 | Classical
Fernwerk | Nachtbus | 2016 | Electronic
Glass Harbour | Anchors | 2013 | Electronic
Glass Harbour | Signals at Dusk | 2020 | Electronic
Hollow Meridian | Northbound | 2014 | Rock
Ida Sørensen | Små timer | 2014 | Jazz
João Vidal | Rua da Manhã | 2006 | Jazz
Juniper Static | Frequencies | 2022 | Electronic
Kestrel Lane | Hedgerow Suite | 2004 | Folk
Lantern Club | Paper Moons | 2008 | Pop
Lantern Club | Ten Candles | 2010 | Pop
Lantern Club | Wax | 2015 | Pop
Marisol Vega | Ciudad Dormida | 2013 | Pop
Moss Radio | Long Wave | 1996 | Electronic
Nora Lindqvist | Skärgård | 2018 | Folk
Oak & Iron | The Forge Sessions | 2005 | Rock
Paper Lighthouse | The Keeper’s Log | 2017 | Rock
Rosalind Kerr | Field Notes | 2021 | Classical
Sable Finch | Undersong | 2016 | Folk
The Quiet Motorway | Contraflow | 2012 | Rock
The Quiet Motorway | Lay-by | 2009 | Rock
Tin Roof Quartet | Rain Tables | 2003 | Jazz
Umber | Clay | 2019 | Electronic
Velvet Tramline | Last Stop | 2011 | Pop
Wicker & Wool | Hearth | 2002 | Folk
Yonder Bay | Saltmarsh | 2020 | Folk
Zephyr Works | Turbines | 2023 | Electronic
ليلى النجار | ضوء الفجر | 2015 | Pop | arabic
فرقة الساحل | أمواج | 2009 | Folk | arabic
كريم حداد | طريق الصحراء | 2018 | Folk | arabic
سلمى يوسف | شبابيك مفتوحة | 2021 | Pop | arabic
נועה ברק | אור ראשון | 2016 | Pop | hebrew
להקת החוף | גלים שקטים | 2010 | Folk | hebrew
איתן שחר | דרך העפר | 2019 | Rock | hebrew
青い汽車 | 夜の駅 | 2014 | Rock | japanese
山田はるか | 桜の手紙 | 2017 | Pop | japanese
ミナト電気 | カタカナ通信 | 2020 | Electronic | japanese
小さな灯台 | 海のうた | 2008 | Folk | japanese
三日月楽団 | 雨の日曜日 | 2012 | Jazz | japanese
Тихая гавань | Северный ветер | 2011 | Rock | cyrillic
Анна Соколова | Письма | 2016 | Pop | cyrillic
Трамвай № 5 | Последний вагон | 2007 | Rock | cyrillic
Белые ночи | Река | 2019 | Electronic | cyrillic
Степова дорога | Світанок | 2022 | Folk | cyrillic
Μαρία Δήμου | Φεγγάρι | 2013 | Pop | greek
Τα Κύματα | Αιγαίο | 2006 | Folk | greek
Νίκος Ανδρέου | Βροχή στην πόλη | 2018 | Jazz | greek
"""
# The albums on the stick of the demo collection, which the unit shows as absent.
STICK = """
Glass Harbour | Breakwater | 2021 | Electronic
Nora Lindqvist | Midsommar | 2022 | Folk
"""
TITLES = {
    "latin": "After the Rain; All the Small Hours; Blue Hour; Bread and Salt; By the Weir; Causeway; Copper Wire; "
             "Daylight Saving; Early Bus; Everything in Its Drawer; Ferryman; First Frost; Half a Map; Harbour Lights; "
             "Hello, Stranger Road; In the Long Grass; Kites; Late Train Home; Letters to the Coast; Milk Round; "
             "Night Swimming Pool; November; On the Landing; One More Mile; Paper Boat; Postcards; Quarry; "
             "Rooftops; Salt and Smoke; Seven Bridges; Slow Clock; Small Mercies; Snow Day; Sunday Engine; "
             "The Orchard Wall; The Other Side of the Valley; Tunnels; Turning Circle; Weathervane; Windows Down",
    "arabic": "ليل طويل; قمر على البحر; مطر الصباح; رسالة; شارع قديم; نجمة; طريق العودة; نسيم; ضحكة; قهوة الصباح",
    "hebrew": "לילה ארוך; ירח מעל הים; גשם בבוקר; מכתב; רחוב ישן; כוכב; בדרך הביתה; רוח קלה; קפה של בוקר; חלון",
    "japanese": "朝の雨; 月と海; 手紙; 古い道; 星をさがして; 帰り道; そよ風; コーヒー; 窓の外; 夏のおわり; メロディー",
    "cyrillic": "Долгая ночь; Луна над морем; Утренний дождь; Письмо; Старая улица; Звезда; Дорога домой; Окно; "
                "Первый снег; Лето кончилось",
    "greek": "Μεγάλη νύχτα; Φεγγάρι στη θάλασσα; Πρωινή βροχή; Γράμμα; Παλιός δρόμος; Αστέρι; Ο δρόμος του γυρισμού; "
             "Αεράκι; Καφές; Παράθυρο",
}
# These albums have no cover.
WITHOUT_COVER = {"Lay-by", "Long Wave"}


@dataclass(frozen=True)
class Album:
    number: int
    artist: str
    title: str
    year: str
    genre: str
    script: str

    @property
    def songs(self) -> list[str]:
        random = Random(self.title)
        titles = TITLES[self.script].split("; ")
        return random.sample(titles, random.randint(3, 7))

    @property
    def has_cover(self) -> bool:
        return self.title not in WITHOUT_COVER


def albums(text: str = ALBUMS) -> list[Album]:
    found = []
    for number, line in enumerate(text.strip().splitlines()):
        fields = [field.strip() for field in line.split("|")]
        artist, title, year, genre = fields[:4]
        found.append(Album(number, artist, title, year, genre, fields[4] if len(fields) > 4 else "latin"))
    return found
