#!/usr/bin/python3
# SPDX-FileCopyrightText: The Switchyard developers
# SPDX-License-Identifier: GPL-3.0-or-later
"""The measuring part of tests/bench/run: what is compared runs in turns, medians count. Prints a Markdown table."""
import argparse, datetime, json, os, re, statistics, subprocess, threading, time
import yaml

ap = argparse.ArgumentParser()
for flag in ("lab-home", "namespace", "bin", "load", "work"):
    ap.add_argument("--" + flag, required=True)
ap.add_argument("--clusters", type=int, default=1000)
ap.add_argument("--rounds", type=int, default=5)
ap.add_argument("--rest", type=int, default=30)
ap.add_argument("--look", type=int, default=60)
ap.add_argument("--patronictl", action="store_true")
ap.add_argument("--parts", help="only these, e.g. starts,decodes")
args = ap.parse_args()

KUBECONFIG = f"{args.lab_home}/pki/admin.kubeconfig"
SERVER = "https://192.0.2.10:6443"
NS = ["ip", "netns", "exec", args.namespace]
ENV = {**os.environ, "KUBECONFIG": KUBECONFIG, "LAB_HOME": args.lab_home, "HOME": args.work, "QT_QPA_PLATFORM": "offscreen",
       "XDG_RUNTIME_DIR": args.work, "XDG_CONFIG_HOME": args.work, "XDG_DATA_HOME": args.work}
CURL = ["curl", "-sS", "--fail", "--cacert", f"{args.lab_home}/pki/ca.crt", "-H", "Authorization: Bearer admin-token"]
TICK = os.sysconf("SC_CLK_TCK")


def say(text):
    print(text, flush=True)


def run(command, out=subprocess.DEVNULL):
    """Wall s, CPU s, most memory in MiB, output; the program must succeed."""
    begin = time.monotonic()
    p = subprocess.Popen(NS + command, env=ENV, stdout=subprocess.PIPE if out is None else out)
    text = p.stdout.read() if out is None else b""
    _, status, usage = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    if p.returncode != 0:
        raise SystemExit(f"{command[0]} ended with {p.returncode}")
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text


def start(command, **kwargs):
    return subprocess.Popen(NS + command, env=ENV, **kwargs)


def stop(process):
    process.terminate()
    process.wait()


def cpu_of(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def memory_of(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{pid}/status").read())[1]) / 1024


def load(*options):
    return start([args.load, str(args.clusters), "100000", "--there", "--real-pods", "--keep", *options], stdout=subprocess.DEVNULL)


def window(rest, look, kubeconfig=KUBECONFIG):
    _, _, _, text = run([f"{args.bin}/switchyard-bench-window", kubeconfig, str(args.clusters), str(time.time_ns()), str(rest), str(look)], None)
    return json.loads(text)


def uncompressed():
    """The same kubeconfig with disable-compression, as suits a server on the same machine."""
    path = f"{args.work}/uncompressed.kubeconfig"
    config = yaml.safe_load(open(KUBECONFIG))
    for entry in config["clusters"]:
        entry["cluster"]["disable-compression"] = True
    json.dump(config, open(path, "w"))
    return path


def count(resource):
    text = run(CURL + [f"{SERVER}/api/v1/namespaces/load/{resource}?limit=1&pretty=false"], None)[3]
    answer = json.loads(text)
    return len(answer["items"]) + answer["metadata"].get("remainingItemCount", 0)


def median(values):
    return statistics.median(values)


rows = []


def row(what, goal, measured, ratio, good):
    rows.append((what, goal, measured, ratio, "" if good is None else "pass" if good else "miss"))
    say(f"  {what}: {measured} {ratio} {rows[-1][4]}")


def starts():
    kubectl, curl, listed, shown, plain = [], [], [], [], []
    without = uncompressed()
    both = [f"{SERVER}/api/v1/{r}?pretty=false" for r in ("endpoints", "pods")]
    for _ in range(args.rounds):
        kubectl.append(run(["kubectl", "get", "endpoints,pods", "-A", "-o", "json"]))
        curl.append(run(CURL + both))
        listed.append(run([f"{args.bin}/switchyard", "list", "-A", "--kubeconfig", KUBECONFIG, "--format", "json"]))
        shown.append(window(0, 0))
        plain.append(window(0, 0, without))
    k, c, l = (median([r[0] for r in runs]) for runs in (kubectl, curl, listed))
    w = median([r["full_s"] for r in shown])
    row("`kubectl get endpoints,pods -A -o json`", "", f"{k:.2f} s, {median([r[1] for r in kubectl]):.2f} s CPU, {median([r[2] for r in kubectl]):.0f} MiB", "", None)
    row("curl, the same two lists", "", f"{c:.2f} s", "", None)
    for name, t, cpu in (("window: start to full fleet painted", w, median([r["full_cpu_s"] for r in shown])),
                         ("the same with `disable-compression: true`", median([r["full_s"] for r in plain]), median([r["full_cpu_s"] for r in plain])),
                         ("`switchyard list`", l, median([r[1] for r in listed]))):
        row(name + ", beside kubectl", "at most 0.25", f"{t:.2f} s, {cpu:.2f} s CPU", f"{t / k:.2f}", t <= 0.25 * k)
        row(name + ", beside curl", "at most 2", f"{t:.2f} s", f"{t / c:.2f}", t <= 2 * c)
    stall = median([r["longest_event_ms"] for r in shown])
    row("longest event of the GUI thread while starting", "at most 50 ms", f"{stall:.0f} ms", "", stall <= 50)


def rests():
    renewing = load()
    kubectl = start(["kubectl", "get", "endpoints", "-A", "-w", "-o", "json"], stdout=subprocess.DEVNULL)
    time.sleep(10)
    spent = {}

    def note():
        time.sleep(2)
        before = cpu_of(kubectl.pid)
        time.sleep(args.rest)
        spent["kubectl"] = cpu_of(kubectl.pid) - before
        spent["memory"] = memory_of(kubectl.pid)

    # one at a time would see different machines: both at once
    watching = threading.Thread(target=note)
    watching.start()
    w = window(args.rest, 0)
    watching.join()
    stop(kubectl)
    stop(renewing)
    row("`kubectl get endpoints -A -w -o json` at rest", "", f"{spent['kubectl']:.2f} s CPU in {args.rest} s, {spent['memory']:.0f} MiB", "", None)
    row("window at rest, 100 renewals/s", "at most 0.7", f"{w['rest_cpu_s']:.2f} s CPU in {args.rest} s", f"{w['rest_cpu_s'] / spent['kubectl']:.2f}",
        w["rest_cpu_s"] <= 0.7 * spent["kubectl"])
    row("window's memory (RSS; peak)", "at most 150 MiB", f"{w['rss_mib']:.0f} MiB; {w['peak_mib']:.0f} MiB", "", w["rss_mib"] <= 150)


def quantiles(q):
    return f"p50 {q['p50']:.1f}, p95 {q['p95']:.1f}, p99 {q['p99']:.1f} ms (n={q['n']})"


def printed(stream, delays, until):
    """When kubectl printed a renewal, after it was written."""
    for line in stream:
        m = re.search(rb'"renewTime": "([^"]+)"', line)
        if m and until[0] is None:
            delays.append((time.time() - datetime.datetime.fromisoformat(m[1].decode()).timestamp()) * 1000)


def looks():
    changing = load("--switch-every", "1", "--switch-among", "10")
    kubectl = start(["kubectl", "get", "endpoints", "-A", "-w", "-o", "json"], stdout=subprocess.PIPE)
    delays, until = [], [True]
    reader = threading.Thread(target=printed, args=(kubectl.stdout, delays, until))
    reader.start()
    time.sleep(10)
    until[0] = None
    w = window(12, args.look)  # by then all locks have been seen to be renewed
    until[0] = True
    stop(kubectl)
    reader.join()
    stop(changing)
    delays.sort()
    def at(q): return delays[int(q * (len(delays) - 1))] if delays else float("nan")
    row("readyRead to painted", "p95 at most 60 ms", quantiles(w["to_painted"]), "", 0 <= w["to_painted"]["p95"] <= 60)
    row("readyRead to painted, leader changes", "p95 at most 10 ms", quantiles(w["leader_to_painted"]), "", 0 <= w["leader_to_painted"]["p95"] <= 10)
    row("written to painted", "", quantiles(w["write_to_painted"]), "", None)
    row("written to painted, leader changes", "", quantiles(w["leader_write_to_painted"]), "", None)
    row("written to printed by `kubectl get -w`", "", f"p50 {at(.5):.1f}, p95 {at(.95):.1f}, p99 {at(.99):.1f} ms (n={len(delays)})", "", None)
    row("longest wait for the GUI thread", "at most 50 ms", f"{w['stall']['max']:.1f} ms (p99 {w['stall']['p99']:.1f}) in {w['looked_s']:.0f} s", "", w["stall"]["max"] <= 50)


def floods():
    flooding = load("--flood")
    time.sleep(1)
    w = window(12, 20)
    stop(flooding)
    row("renewals as fast as the server takes them", "", f"{w['events_per_s']:.0f} events/s taken in; readyRead to painted p95 {w['to_painted']['p95']:.1f} ms; longest wait {w['stall']['max']:.1f} ms", "", None)


def decodes():
    files = [f"{args.work}/{name}" for name in ("endpoints.json", "pods.json", "events.ndjson")]
    run(CURL + [f"{SERVER}/api/v1/endpoints?pretty=false", "-o", files[0]])
    run(CURL + [f"{SERVER}/api/v1/pods?pretty=false", "-o", files[1]])
    version = json.load(open(files[0]))["metadata"]["resourceVersion"]
    renewing = load()
    watch = start(CURL + ["-N", f"{SERVER}/api/v1/endpoints?watch=true&pretty=false&resourceVersion={version}", "-o", files[2]])
    time.sleep(35)
    stop(watch)
    stop(renewing)
    d = json.loads(run([f"{args.bin}/switchyard-bench-core", *files], None)[3])
    for what, whole, bare, unit in (("lists", d["list_ms"], d["list_parse_ms"], "ms"), ("an event", d["event_us"], d["event_parse_us"], "us")):
        row(f"decode and apply {what}, beside a bare nlohmann parse", "at most 1.5", f"{whole:.1f} {unit} and {bare:.1f} {unit} CPU", f"{whole / bare:.2f}", whole <= 1.5 * bare)


def elections():
    """A thousand Leases, each renewed every two seconds, watched by both at the same time. Nothing else is there: kubectl looks at nothing else."""
    leases = 1000
    run([args.load, "0", "0"])  # removes what was there
    renewing = start([args.load, "0", "100000", "--leases", str(leases)], stdout=subprocess.DEVNULL)
    time.sleep(15)
    ours = f"{args.bin}/switchyard"
    watchers = {"elections": [ours, "elections", "-A", "--follow"], "events": [ours, "events", "-A", "--follow"],
                "kubectl": ["kubectl", "get", "leases", "-A", "-w"]}
    running = {name: start(command, stdout=subprocess.DEVNULL) for name, command in watchers.items()}
    time.sleep(20)  # what a start costs is another matter
    before = {name: cpu_of(p.pid) for name, p in running.items()}
    time.sleep(args.look)
    spent = {name: cpu_of(p.pid) - before[name] for name, p in running.items()}
    ended = [name for name, p in running.items() if p.poll() is not None]
    for p in running.values():
        stop(p)
    stop(renewing)
    if ended:  # what has ended costs nothing
        return row(f"{leases} Leases renewed every 2 s", "", f"not measured: {', '.join(ended)} ended", "", None)
    for what in ("elections", "events"):
        ratio = spent[what] / max(spent["kubectl"], 1 / TICK)
        row(f"`switchyard {what} --follow` of {leases} Leases renewed every 2 s, beside `kubectl get leases -A -w`", "at most 1",
            f"{spent[what]:.2f} s and {spent['kubectl']:.2f} s CPU in {args.look} s", f"{ratio:.2f}", ratio <= 1)


def pictures():
    d = json.loads(run([f"{args.bin}/switchyard-bench-pictures"], None)[3])
    row(f"paint the timeline of {d['events']} events, beside a line of two points a pixel column", "at most 8 ms",
        f"{d['paint_all_ms']:.1f} ms for all of it ({d['shapes']} shapes), {d['paint_day_ms']:.1f} ms for a day, {d['bare_paint_ms']:.1f} ms CPU",
        f"{d['paint_ratio']:.2f}", max(d["paint_all_ms"], d["paint_day_ms"]) <= 8)
    row(f"build its lanes from {d['events']} events", "", f"{d['build_ms']:.1f} ms CPU", f"{d['build_ratio']:.2f}", None)


def metadata_only():
    for resource in ("configmaps", "endpoints", "pods"):
        found = {}
        for name, accept in (("whole", "application/json"), ("metadata only", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io")):
            times = []
            for _ in range(args.rounds):
                seconds, _, _, text = run(CURL + ["-H", "Accept: " + accept, f"{SERVER}/api/v1/{resource}?pretty=false"], None)
                times.append(seconds)
            found[name] = (len(text) / 1e6, median(times))
        (a, t), (b, u) = found["whole"], found["metadata only"]
        row(f"{resource}: whole and metadata only", "", f"{a:.1f} MB in {t:.2f} s and {b:.1f} MB in {u:.2f} s", f"{b / a:.2f}", None)


def patronictl():
    home, namespace = os.environ.get("PATRONICTL_LAB", "/var/tmp/patroni-lab patronilab").split()
    lab = os.path.join(os.path.dirname(args.load), "lab")
    begin = time.monotonic()
    done = subprocess.run([lab, "patronictl", "alpha", "list", "alpha"], env={**os.environ, "LAB_HOME": home, "LAB_NS": namespace}, stdout=subprocess.DEVNULL)
    row("`patronictl list` of one cluster", "", f"{time.monotonic() - begin:.2f} s" if done.returncode == 0 else "no lab is up", "", None)


def machine():
    model = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "?")
    memory = int(open("/proc/meminfo").readline().split()[1]) / 1048576
    return f"{os.cpu_count()} x {model}, {memory:.0f} GiB, Linux {os.uname().release}; load before the run {os.getloadavg()[0]:.1f}"


here = machine()
try:
    there = count("pods") >= 3 * args.clusters and count("configmaps") >= 1000
except SystemExit:
    there = False
if not there:
    run([args.load, str(args.clusters), "0", "--real-pods", "--config-maps", "1000", "--keep"])
for part in (starts, rests, looks, floods, decodes, pictures, metadata_only) + ((patronictl,) if args.patronictl else ()) + (elections,):
    if args.parts and part.__name__ not in args.parts.split(","):
        continue
    say(part.__name__)
    part()
say(f"\n{args.clusters} clusters ({7 * args.clusters} objects). {here}\n")
say("| | Goal | Measured | Ratio | |\n|---|---|---|---|---|")
for cells in rows:
    say("| " + " | ".join(cells) + " |")
