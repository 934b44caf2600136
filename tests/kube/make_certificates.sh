#!/bin/sh
# SPDX-FileCopyrightText: The Switchyard developers
# SPDX-License-Identifier: GPL-3.0-or-later
# Certificates for the tests: an authority, a server, clients with keys of each kind. usage: make_certificates.sh FOLDER
set -eu
mkdir -p "$1"
cd "$1"
days=3650

authority() { # name
    openssl req -x509 -newkey rsa:2048 -nodes -keyout "$1.key" -out "$1.crt" -days $days -subj "/CN=$1" 2>/dev/null
}

sign() { # name, subject, alternative names or "", authority
    openssl req -new -key "$1.key" -out "$1.csr" -subj "$2" 2>/dev/null
    if [ -n "$3" ]; then
        printf 'subjectAltName=%s\n' "$3" > "$1.ext"
    else
        printf 'extendedKeyUsage=clientAuth\n' > "$1.ext"
    fi
    openssl x509 -req -in "$1.csr" -CA "$4.crt" -CAkey "$4.key" -CAcreateserial -out "$1.crt" -days $days -extfile "$1.ext" 2>/dev/null
}

authority ca
authority other-ca
openssl genrsa -out server.key 2048 2>/dev/null
sign server /CN=server DNS:localhost,IP:127.0.0.1,DNS:api.example ca
openssl genrsa -out server-new.key 2048 2>/dev/null
sign server-new /CN=server-new DNS:localhost,IP:127.0.0.1,DNS:api.example ca
openssl genrsa -out server-strange.key 2048 2>/dev/null
sign server-strange /CN=server-strange DNS:localhost,IP:127.0.0.1,DNS:api.example other-ca
for name in named address; do # for one name, and for one address at which nothing listens
    openssl genrsa -out $name.key 2048 2>/dev/null
done
sign named /CN=named DNS:api.example ca
sign address /CN=address IP:127.0.0.2 ca
openssl genrsa -out client-rsa.key 2048 2>/dev/null
sign client-rsa /O=dba/CN=rita "" ca
openssl ecparam -name prime256v1 -genkey -out client-ec.key 2>/dev/null   # SEC1 behind an EC PARAMETERS block
sign client-ec /O=dba/CN=emil "" ca
openssl ecparam -name prime256v1 -genkey -noout -out client-ec2.key 2>/dev/null
openssl genpkey -algorithm ed25519 -out client-ed25519.key
sign client-ed25519 /O=dba/CN=edda "" ca
openssl rsa -in client-rsa.key -traditional -out client-rsa-pkcs1.key 2>/dev/null
openssl pkcs8 -topk8 -nocrypt -in client-rsa.key -out client-rsa-pkcs8.key
openssl ec -in client-ec.key -out client-ec-sec1.key 2>/dev/null
openssl pkcs8 -topk8 -nocrypt -in client-ec.key -out client-ec-pkcs8.key
openssl pkcs8 -topk8 -in client-ec.key -passout pass:secret -out client-encrypted.key
touch made
