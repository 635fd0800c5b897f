// Serves a folder over HTTP for development and tests: `node web/serve.mjs [folder] [port]`.
// The page is not cached, so that a new build is seen at once; what has a hash of its content in its name is.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, resolve, sep } from "node:path";
import process from "node:process";

const types = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
};

/** What makes the page isolated, so that its engine may have threads; the README names them for other hosts. */
const isolation = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
};

/** Names that vite gives: another content has another one. */
const hashed = /[\\/]assets[\\/][^\\/]+-[\w-]{8}\.\w+$/;

const folder = resolve(process.argv[2] ?? "dist");
const port = Number(process.argv[3] ?? 8000);
// A prefix to serve under ("/some/path"), to show that the page works below any address.
const prefix = (process.env.SERVE_PREFIX ?? "").replace(/\/+$/, "");

/** The file behind an address; null when there is none, or it lies outside the folder. */
async function find(url) {
  let path;
  try {
    path = decodeURIComponent(new URL(url, "http://localhost").pathname);
  } catch {
    return null;
  }
  if (!path.startsWith(`${prefix}/`) || path.includes("\0")) return null;
  let file = join(folder, normalize(path.slice(prefix.length)));
  if (file !== folder && !file.startsWith(folder + sep)) return null;
  try {
    let info = await stat(file);
    if (info.isDirectory()) {
      file = join(file, "index.html");
      info = await stat(file);
    }
    return info.isFile() ? { file, size: info.size } : null;
  } catch {
    return null;
  }
}

const server = createServer(async (request, response) => {
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { allow: "GET, HEAD" }).end();
    return;
  }
  const found = await find(request.url ?? "/");
  if (!found) {
    response.writeHead(404, { "content-type": "text/plain; charset=utf-8" }).end("Not found\n");
    return;
  }
  response.writeHead(200, {
    "content-type": types[extname(found.file)] ?? "application/octet-stream",
    "content-length": found.size,
    "cache-control": hashed.test(found.file) ? "max-age=31536000, immutable" : "no-store",
    "x-content-type-options": "nosniff",
    ...isolation,
  });
  if (request.method === "HEAD") response.end();
  else
    createReadStream(found.file)
      .on("error", () => response.destroy())
      .pipe(response);
});

server.on("error", (error) => {
  console.error(
    error.code === "EADDRINUSE" ? `Port ${port} is in use; try another with PORT=` : error.message,
  );
  process.exit(1);
});
server.listen(port, "127.0.0.1", () => {
  const { port: actual } = server.address();
  console.log(`HLO Playground: http://localhost:${actual}${prefix}/`);
});
