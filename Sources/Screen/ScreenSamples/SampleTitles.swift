/// Translations of the invented titles into languages that do not use the Latin script, keyed by the code of the
/// language.
enum SampleTitles {
  /// The letters of each language, in alphabetical order.
  static let letters = [
    "ar": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي", "he": "אבגדהוזחטיכלמנסעפצקרשת",
    "ja": "あいうえおかきくけこさしすせそたちつてとなにぬねのはひ",
  ]

  static let all: [String: [String: String]] = [
    "ar": [
      "Saltlight": "ضوء الملح", "Low Meridian": "خط الزوال", "Tide Tables": "جداول المد",
      "Slow Ferry Home": "العبّارة البطيئة إلى البيت", "Oilskin": "معطف المطر",
      "The Lamp at the End of the Breakwater": "المصباح في آخر كاسر الأمواج حيث تدور العبّارات",
      "The Lamp at the End of the Breakwater, Where the Ferries Turn":
        "المصباح في آخر كاسر الأمواج حيث تدور العبّارات عند الغروب",
      "Tessellations": "فسيفساء", "Sunday Radius": "دائرة الأحد", "Understory": "ظل الغابة",
      "Carrier": "الحامل", "Plateau": "الهضبة", "Second Courtyard": "الفناء الثاني",
      "Signal Flags": "أعلام الإشارة", "Small Machines": "آلات صغيرة", "Undertow": "التيار السفلي",
      "Sleepers, and Other Trains at Night": "قطارات النوم وقطارات الليل الأخرى",
      "Kestrel & Vane": "العوسق والريح", "Kilo Harbour": "ميناء كيلو", "Lumen Post": "بريد الضوء",
      "Lene Aasgaard Trio": "ثلاثي لينا", "June Okafor": "جون أوكافور", "Ivo Halden": "إيفو هالدن",
      "Mixtapes": "مختارات", "Summer, south coast": "صيف الساحل الجنوبي", "Fern": "سرخس",
      "Ana’s Pixel 8": "هاتف آنا", "Wheel remote": "جهاز المقود", "ROADTRIP": "رحلة",
      "Blue Harp": "القيثارة الزرقاء", "Los Angeles": "لوس أنجلوس",
    ],
    "ja": [
      "Saltlight": "塩の灯り", "Low Meridian": "低い子午線", "Tide Tables": "潮汐表",
      "Slow Ferry Home": "ゆっくり帰るフェリー", "Oilskin": "雨合羽",
      "The Lamp at the End of the Breakwater": "防波堤の端にある灯りとそこで向きを変える船",
      "The Lamp at the End of the Breakwater, Where the Ferries Turn":
        "防波堤の端にある灯りとそこで向きを変えるフェリーの長い長い物語",
      "Tessellations": "敷き詰め模様", "Sunday Radius": "日曜の半径", "Understory": "林床",
      "Carrier": "搬送波", "Plateau": "高原", "Second Courtyard": "第二の中庭",
      "Signal Flags": "信号旗", "Small Machines": "小さな機械", "Undertow": "引き潮",
      "Sleepers, and Other Trains at Night": "寝台列車とほかの夜の列車たち",
      "Kestrel & Vane": "隼と風見", "Kilo Harbour": "キロ港", "Lumen Post": "光の便り",
      "Lene Aasgaard Trio": "レネ・オースゴー三重奏団", "June Okafor": "ジューン・オカフォー",
      "Ivo Halden": "イヴォ・ハルデン", "Mixtapes": "お気に入り集",
      "Summer, south coast": "夏、南海岸", "Fern": "羊歯", "Ana’s Pixel 8": "アナの電話",
      "Wheel remote": "ハンドルのリモコン", "ROADTRIP": "ドライブ", "Blue Harp": "青い竪琴",
      "Los Angeles": "ロサンゼルス",
    ],
  ]
}
