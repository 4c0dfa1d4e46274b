"""A person's play of each game in a browser, by mouse and by keyboard: the simplest thing."""

from web.browser import Page

from joute.play.chance import derive
from joute.play.game import GameSpec, SeatSpec, usual_costs

SMALL = """<?xml version="1.0"?>
<Map Columns="5" Rows="3"><Humans X="2" Y="0" Count="2"/>
<Vampires X="1" Y="1" Count="4"/><Werewolves X="3" Y="1" Count="4"/></Map>"""
ROOM = """tron 1
name small
size 8 6 1
floor 0
########
#      #
#1     #
#     2#
#      #
########
end
"""
NOW = "document.querySelector('#table').joute?.now"
"""The state that the page of a table holds."""

GAMES = {
    "virus": ({"size": 4}, "greedy"),
    "tron": ({"map": ROOM}, "random"),
    "vampires": ({"map": SMALL, "plies": 8}, "nearest"),
    "love-letter": ({}, "rules"),
    "paradise": ({}, "face"),
}


def spec(game, parameters, *bots) -> GameSpec:
    """A game; each `human` has a name."""
    names = iter(("Ann", "Bob", "Cleo"))
    seats = [
        SeatSpec(name=next(names), bot=bot)
        if bot == "human"
        else SeatSpec(name=bot, bot=f"builtin:{bot}")
        for bot in bots
    ]
    return GameSpec(
        game=game,
        parameters=parameters,
        bots=tuple(seats),
        seed=derive("browser", game),
        costs=usual_costs(game),
    )


def seated(site, page: Page, table, seat: int) -> Page:
    """The page of a person who has followed the link of a seat, once the game has begun."""
    sit(site, page, table, seat)
    page.wait_for(f"{NOW}?.status?.begun && {NOW}.table.you.length")
    return page


def sit(site, page: Page, table, seat: int, name: str = "") -> None:
    """Follows the link of a seat, and sits down there, by that name if one is given."""
    page.open(f"{site.url}/tables/{table.name}#seat={table.chairs[seat].key}")
    page.wait_for("document.querySelector('#sit').open")
    if name:
        page.type("#person", name)
    page.click("#seated")
    # The page is loaded anew once the seat is taken.
    page.wait_for(f"!location.hash && {NOW}?.table?.you.includes({seat})")


def begun(serve, chromium, game, *, speed=0.0, chart="", **options):
    """A server, a table of a game, and the page of the person at its first seat."""
    parameters, bot = GAMES[game]
    if chart:
        parameters = {**parameters, "map": chart}
    site = serve()
    table = site.app.state.tables.open(spec(game, parameters, "human", bot), (), "", speed)
    page = seated(site, chromium.page(language="en", **options), table, 0)
    return site, table, page


ASKED = f"({NOW}.asked?.number ?? 0)"


def played(page: Page, act) -> None:
    """Acts whenever something is asked, until the game is over."""
    while page.wait_for(f"{NOW}.over ? 'over' : {NOW}.asked && 'asked'") == "asked":
        number = page.evaluate(ASKED)
        act(page)
        confirm(page)
        page.wait_for(f"{NOW}.over || {ASKED} !== {number}")


def confirm(page: Page) -> None:
    """Says yes where the page asks whether an action is meant."""
    if page.evaluate("document.querySelector('#warned').open"):
        page.click("#warned [value=yes]")


# By mouse: what is lit is clicked.


def click_virus(page):
    legal = page.evaluate("!!document.querySelector('.cell.legal')")
    page.click(".cell.legal" if legal else ".drawn .btn")


def click_tron(page):
    page.click(".cell.legal")


def click_vampires(page):
    page.click(".cell.legal .hit")
    page.click(".cell.legal:has(.aim) .hit")
    page.click(".drawn .btn.primary:not(:disabled)")


def click_love_letter(page):
    for group in ("card", "target", "guess", "order"):
        choice = f"[data-at^={group}-]:not(:disabled)"
        if page.evaluate(f"!!document.querySelector('{choice}')"):
            at = page.evaluate(f"document.querySelector('{choice}').dataset.at")
            page.click(f"label:has([data-at='{at}'])")
    page.click("[data-at=send]:not(:disabled)")


def click_paradise(page):
    page.click("[data-at=end]:not(:disabled)")


# By keyboard.


def press_virus(page):
    if page.evaluate("!!document.querySelector('.cell.legal')"):
        page.key("l")
        page.key("Enter")
    else:
        page.key("p")


def press_tron(page):
    names = {"left": "Left", "up": "Up", "right": "Right", "down": "Down"}
    page.key(f"Arrow{names[page.evaluate(f'{NOW}.asked.actions[0][1]')]}")


def press_vampires(page):
    for chosen in (".cell.legal", ".cell.legal:has(.aim)"):
        page.wait_for(f"document.querySelector('{chosen}')")
        walk(page, chosen, columns=5)
        page.key(" ")
    page.wait_for("document.querySelector('.drawn .btn.primary:not(:disabled)')")
    page.key("Enter")


def walk(page, selector, columns):
    """To a cell, by arrow keys."""
    page.key("ArrowRight")  # so that the focus is on the board
    here = page.evaluate("Number(document.activeElement.dataset.cell)")
    goal = page.evaluate(f"Number(document.querySelector('{selector}').dataset.cell)")
    across, down = goal % columns - here % columns, goal // columns - here // columns
    for _ in range(abs(across)):
        page.key("ArrowRight" if across > 0 else "ArrowLeft")
    for _ in range(abs(down)):
        page.key("ArrowDown" if down > 0 else "ArrowUp")


def press_love_letter(page):
    for place in "123":
        page.key(place)
        page.key("t")
        if page.evaluate("!!document.querySelector('[data-at^=guess-]')"):
            page.key("2")
        if page.evaluate("!document.querySelector('[data-at=send]').disabled"):
            break
    page.key("Enter")


def press_paradise(page):
    page.key("e")


CLICKS = {
    "virus": click_virus,
    "tron": click_tron,
    "vampires": click_vampires,
    "love-letter": click_love_letter,
    "paradise": click_paradise,
}
PRESSES = {
    "virus": press_virus,
    "tron": press_tron,
    "vampires": press_vampires,
    "love-letter": press_love_letter,
    "paradise": press_paradise,
}


def act_once(page, act) -> None:
    """Acts when something is asked, and returns when that is answered."""
    page.wait_for(f"{NOW}.asked")
    number = page.evaluate(ASKED)
    act(page)
    confirm(page)
    page.wait_for(f"{NOW}.over || ({ASKED} && {ASKED} !== {number})")


LOST = """new Promise((back) => {
  const trouble = document.querySelector("#trouble");
  let told = "";
  new MutationObserver(() => {
    if (!trouble.hidden) told = trouble.textContent;
    else if (told) back(told);
  }).observe(trouble, {attributes: true, childList: true});
  document.querySelector("#table").joute.drop();
})"""


def lose_connection(page: Page) -> str:
    """The words of a page while its connection is lost; returns when it has found it again."""
    told = page.evaluate(LOST)
    page.wait_for(f"{NOW}.over || {NOW}.asked")
    return told


def reload(page: Page) -> None:
    """Loads a page anew; returns when the game goes on."""
    page.reload()
    page.wait_for(f"{NOW}?.over || {NOW}?.asked")
