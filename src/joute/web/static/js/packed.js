// The data of games: loaded from an address, or packed into the page itself.

// The game at an address, or the one that <script id="game"> holds.
export async function game(address) {
  if (!address) return unpacked(document.getElementById("game").textContent);
  const response = await fetch(address);
  if (!response.ok) throw new Error(await sentence(response));
  return response.json();
}

// Unpacks data that was compressed with gzip and written in base 64.
export async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

// The sentence of a refusal.
async function sentence(response) {
  try {
    return (await response.json()).error;
  } catch {
    return `${response.status} ${response.statusText}`;
  }
}
