"""server.py CERTIFICATE KEY FOLDER: serves FOLDER over HTTPS on a port of this machine, which it prints; below /short half of a file, below /cut half of what it announces."""
import http.server
import os
import ssl
import sys

certificate, key, folder = sys.argv[1:]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        way, name = os.path.split(self.path)
        path = os.path.join(folder, name)
        if way not in ("/", "/short", "/cut") or not os.path.isfile(path):
            self.send_error(404)
            return
        with open(path, "rb") as f:
            whole = f.read()
        sent = whole if way == "/" else whole[:len(whole) // 2]
        self.send_response(200)
        self.send_header("Content-Length", str(len(sent if way == "/short" else whole)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
tls.load_cert_chain(certificate, key)
server.socket = tls.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
server.serve_forever()
