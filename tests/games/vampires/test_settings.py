"""Configurations of servers: the statement's, the official one's, and what is wrong with them."""

import pytest

from joute.games.vampires.server.settings import (
    TRACE_FILE,
    SettingsError,
    load_settings,
    read_settings,
)

OFFICIAL = """<?xml version="1.0" encoding="utf-8" ?>
<configuration>
  <configSections><sectionGroup name="applicationSettings" type="X"/></configSections>
  <startup><supportedRuntime version="v4.0" sku=".NETFramework,Version=v4.0"/></startup>
  <applicationSettings>
    <Twilight.Properties.Settings>
      <setting name="ServerIP" serializeAs="String"><value>0.0.0.0</value></setting>
      <setting name="ServerPort" serializeAs="String"><value>5556</value></setting>
      <setting name="DebugMode" serializeAs="String"><value>True</value></setting>
      <setting name="PlayersCount" serializeAs="String"><value>1</value></setting>
      <setting name="Map" serializeAs="String"><value>maps\\testmap.xml</value></setting>
      <setting name="MaxGameDuration" serializeAs="String"><value>00:30:00</value></setting>
      <setting name="MaxPlayDuration" serializeAs="String"><value>00:00:05</value></setting>
      <setting name="MaxPlays" serializeAs="String"><value>150</value></setting>
      <setting name="AutoRestart" serializeAs="String"><value>False</value></setting>
      <setting name="Colour" serializeAs="String"><value>red</value></setting>
    </Twilight.Properties.Settings>
  </applicationSettings>
</configuration>
"""
MEANING = {
    "ip": "0.0.0.0",
    "port": 5556,
    "trace": TRACE_FILE,
    "players": 1,
    "map": "maps\\testmap.xml",
    "minutes": 30.0,
    "move_seconds": 5.0,
    "plies": 150,
    "again": False,
}


def test_the_official_file_is_read():
    found = read_settings(OFFICIAL, "Server.exe.config")
    assert found.values == MEANING
    assert found.unknown == ("Colour",)


def test_the_official_file_is_read_in_the_older_form_too():
    keys = {
        "ServerIP": "0.0.0.0",
        "ServerPort": "5556",
        "DebugMode": "true",
        "PlayersCount": "1",
        "Map": "maps\\testmap.xml",
        "MaxGameDuration": "0.00:30:00",
        "MaxPlayDuration": "5",
        "MaxPlays": "150",
        "AutoRestart": "0",
    }
    rows = "".join(f'<add key="{key}" value="{value}"/>' for key, value in keys.items())
    text = f"\ufeff<configuration><!-- x --><appSettings>{rows}</appSettings></configuration>"
    assert read_settings(text, "x").values == MEANING


@pytest.mark.parametrize(
    "text",
    [
        "Ip = 10.0.0.1\nPort = 6000\nTrace = True\nMap = a.xml\n",
        "# a comment\n[server]\nip: 10.0.0.1\nPORT: 6000\n\ntrace=1\nmap='a.xml'\n; end\n",
        '<Config Ip="10.0.0.1" Port="6000" Trace="True" Map="a.xml"/>',
        "<config><Ip>10.0.0.1</Ip><Port>6000</Port><Trace>yes</Trace><Map>a.xml</Map></config>",
        '<x><Ip value="10.0.0.1"/><Port value="6000"/><Trace>1</Trace><Map>a.xml</Map></x>',
    ],
)
def test_the_statements_file_is_read_in_any_form(text):
    wanted = {"ip": "10.0.0.1", "port": 6000, "trace": TRACE_FILE, "map": "a.xml"}
    found = read_settings(text, "x")
    assert (found.values, found.unknown) == (wanted, ())


@pytest.mark.parametrize(
    "text",
    [
        "PauseSeconds = 5\nWrapCounts = True\n",
        "<config><PauseSeconds>00:00:05</PauseSeconds><WrapCounts>true</WrapCounts></config>",
    ],
)
def test_the_pause_and_how_counts_join_may_be_set(text):
    found = read_settings(text, "x")
    assert (found.values, found.unknown) == ({"pause_seconds": 5.0, "wrap_counts": True}, ())


def test_what_is_left_empty_or_false_stays_as_usual():
    found = read_settings("Trace = False\nMap =\nColour = red\n", "x")
    assert (found.values, found.unknown) == ({"trace": ""}, ("Colour",))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Port = many", "f: Port: expected a whole number in 0..65535, got 'many'"),
        ("Port = 70000", "f: Port: expected a whole number"),
        ("Trace = perhaps", "f: Trace: expected True or False, got 'perhaps'"),
        ("MaxPlays = 7", "expected an even number"),
        ("MaxPlays = 1", "expected a whole number in 2..10000"),
        ("MaxPlayDuration = soon", "expected a duration, hh:mm:ss, got 'soon'"),
        ("MaxPlayDuration = 00:00:00", "expected a duration above 0"),
        ("PauseSeconds = -1", "expected a duration, hh:mm:ss, got '-1'"),
        ("WrapCounts = 256", "f: WrapCounts: expected True or False, got '256'"),
        ("PlayersCount = 3", "expected a whole number in 1..2"),
        ("just words", "f: line 1: expected 'key = value', got 'just words'"),
        ("<config><Ip></config>", "f: not XML: mismatched tag"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><x><Ip>&a;</Ip></x>', "declares no entities"),
    ],
)
def test_what_is_wrong_is_told_with_the_key_and_the_value(text, said):
    with pytest.raises(SettingsError) as error:
        read_settings(text, "f")
    assert said in str(error.value)


def test_a_map_is_looked_for_beside_the_file(tmp_path):
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "testmap.xml").write_text("<Map/>")
    (tmp_path / "server.config").write_text(OFFICIAL, "utf-8")
    assert load_settings(tmp_path / "server.config").values["map"] == str(
        tmp_path / "maps" / "testmap.xml"
    )
    (tmp_path / "named.config").write_text("Map = valley", "utf-8")
    assert load_settings(tmp_path / "named.config").values == {"map": "valley"}
    (tmp_path / "bad.config").write_bytes(b"Map = \xff\xfe")
    with pytest.raises(SettingsError, match="UTF-8"):
        load_settings(tmp_path / "bad.config")
