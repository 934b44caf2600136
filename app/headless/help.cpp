// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/options.h"

#include <QCoreApplication>

namespace switchyard::headless {

QString helpText()
{
    return QCoreApplication::translate(
        "CommandLine",
        "Usage:\n"
        "  switchyard [CONNECTION] [--demo | --replay FILE [--at T]] [--read-only]\n"
        "             [--screenshot FILE [--page P] [--cluster C] [--size WxH] [--after S] [--dark]]\n"
        "  switchyard COMMAND [CONNECTION | --demo | --replay FILE [--at T]] [--cluster NS/SCOPE[:GROUP]]... [--wait S]\n"
        "             [--format F] [--since T] [--until T] [--follow] [--output FILE]\n"
        "\n"
        "Watches PostgreSQL clusters that Patroni runs on Kubernetes. A command needs no display and never writes to a cluster.\n"
        "\n"
        "Commands:\n"
        "  list                 every cluster: health, leader, lock, timeline, members, lag, sync, pause, request\n"
        "  members              every member: role, state, timeline, position, lags, tags\n"
        "  history              the timeline history in Patroni's order\n"
        "  events               what happened while it was watched\n"
        "  requests             switchovers and failovers that were asked for, and what became of them\n"
        "  transitions          changes of leadership, recorded and watched\n"
        "\n"
        "Connection (kubectl's meanings):\n"
        "  --kubeconfig FILE    instead of the files of $KUBECONFIG, else ~/.kube/config, else the service account of the Pod\n"
        "  --context NAME       a context of these files; may be repeated. Without it: the current one\n"
        "  -n, --namespace NS   may be repeated. Without it: the context's own, else \"default\"\n"
        "  -A, --all-namespaces\n"
        "  -s, --server URL     the address of the API server; for one context\n"
        "  --token TOKEN        for one context. Others on this machine can read it while the program runs\n"
        "  --certificate-authority FILE, --insecure-skip-tls-verify\n"
        "  --as USER, --as-group GROUP (may be repeated)   act as another user\n"
        "  --request-timeout T  30, 5s, 1m, 2h: limit of a request; 0: the program's own limits\n"
        "\n"
        "Connection (Switchyard's own):\n"
        "  --trust-exec         run the programs that the kubeconfig names for credentials (exec) without asking\n"
        "  --poll S             list every S seconds (1 to 30) instead of watching, for proxies that hold watches back\n"
        "  --bypass-api-service also use the API servers of the endpoints \"kubernetes\" in \"default\"\n"
        "  --api-server URL     a further API server of the cluster, https://HOST:PORT; may be repeated\n"
        "\n"
        "Other sources:\n"
        "  --demo               simulated clusters, no Kubernetes needed\n"
        "  --replay FILE        a recording, plain or gzip\n"
        "  --at T               the state of a recording at T instead of at its end\n"
        "  --read-only          no writes to any cluster (a command never writes)\n"
        "\n"
        "Output of commands:\n"
        "  --format F           table (without --follow the default), json, ndjson, csv, tsv, md\n"
        "  --cluster C          NS/SCOPE, or NS/SCOPE:GROUP for one Citus group; may be repeated. Where lists are forbidden,\n"
        "                       clusters named so are read object by object\n"
        "  --since T, --until T only what happened in this time (history, events, requests, transitions)\n"
        "  --wait S             first watch until every lock has been seen to be renewed or to have expired, at most S seconds\n"
        "  --follow             go on, a line for each change (ndjson, csv or tsv), until interrupted or the pipe is closed\n"
        "  --output FILE        write this file, whole or not at all\n"
        "\n"
        "A picture of a page, without a window:\n"
        "  --screenshot FILE    as PNG; with --page fleet, cluster, history, events, contexts or permissions;\n"
        "                       --cluster C; --size WIDTHxHEIGHT; --after S (seconds of watching before); --dark\n"
        "\n"
        "  --help, -h           this text\n"
        "  --version\n"
        "\n"
        "T is a time with an offset (2031-02-01T06:00:00Z, 2031-02-01T07:00:00+01:00), or 30s 15m 2h 3d ago; in a recording ago\n"
        "means before its end.\n"
        "\n"
        "Exit status of commands: 0 answered; 1 could not, the reason is on stderr; 2 wrong arguments; 3 a source was silent;\n"
        "4 some contexts or namespaces could not be read, the rest is printed.\n");
}

} // namespace switchyard::headless
