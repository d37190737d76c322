"""A virtual controller for BR/EDR and low energy."""

from __future__ import annotations

from bumble import hci

from controller import FEATURES, LINK_LOST, ClassicController

LOW_ENERGY = """SET_EVENT_MASK READ_BUFFER_SIZE READ_LOCAL_SUPPORTED_FEATURES SET_RANDOM_ADDRESS
    SET_ADVERTISING_PARAMETERS READ_ADVERTISING_PHYSICAL_CHANNEL_TX_POWER SET_ADVERTISING_DATA
    SET_SCAN_RESPONSE_DATA SET_ADVERTISING_ENABLE SET_SCAN_PARAMETERS SET_SCAN_ENABLE
    CREATE_CONNECTION CREATE_CONNECTION_CANCEL READ_FILTER_ACCEPT_LIST_SIZE
    CLEAR_FILTER_ACCEPT_LIST ADD_DEVICE_TO_FILTER_ACCEPT_LIST REMOVE_DEVICE_FROM_FILTER_ACCEPT_LIST
    CONNECTION_UPDATE READ_REMOTE_FEATURES RAND ENABLE_ENCRYPTION LONG_TERM_KEY_REQUEST_REPLY
    LONG_TERM_KEY_REQUEST_NEGATIVE_REPLY READ_SUPPORTED_STATES"""


class DualController(ClassicController):
    """`ClassicController` with the low energy of Bluetooth 4.0: legacy advertising, no privacy."""

    lmp_features = ClassicController.lmp_features | FEATURES.LE_SUPPORTED_CONTROLLER
    le_features = hci.LeFeatureMask.LE_ENCRYPTION
    supported_commands = ClassicController.supported_commands | {
        getattr(hci, f"HCI_LE_{name}_COMMAND") for name in LOW_ENERGY.split()
    }

    def __init__(self, *arguments, **named) -> None:
        super().__init__(*arguments, **named)
        self.random_address = self.public_address

    def lose_all_links(self, notifies_host: bool = True) -> None:
        super().lose_all_links(notifies_host)
        for connection in list(self.le_connections.values()):
            peer = self.link.find_le_controller(connection.peer_address)
            if theirs := peer and peer.le_connections.get(connection.self_address):
                peer.on_le_disconnected(theirs, LINK_LOST)
            if notifies_host:
                self.on_le_disconnected(connection, LINK_LOST)
            else:
                del self.le_connections[connection.peer_address]
        self.pending_le_connection = None

    def on_hci_le_set_random_address_command(self, command):
        # Ignore the command. Linux uses the random address only for scanning, but bumble's link would send all
        # data with this address.
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)
