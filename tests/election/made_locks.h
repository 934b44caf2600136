// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Locks in namespace "db", made by hand: objects that change, and observations of them.
#include "models/election/election_store.h"

namespace switchyard::test {

using namespace std::chrono_literals;
using election::State;

inline const Instant day = *parseInstant("2031-02-01T06:00:00Z");

class Locks
{
public:
    explicit Locks(std::string context = "ctx")
        : name(std::move(context))
    {}

    std::string name;
    std::int64_t version = 100;
    Duration t = 0s; // since the start
    election::ElectionStore store;

    Now now() const { return {Boot(t), day + t}; }
    static std::string text(Duration at) { return formatUtc(day + at); }
    static std::string seconds(Duration at) { return text(at).substr(0, 19) + 'Z'; }

    KubeObject object(Resource resource, const std::string &of, const std::string &ns = "db")
    {
        KubeObject o;
        o.resource = resource;
        o.ns = ns;
        o.name = of;
        o.uid = "uid-" + of;
        o.resourceVersion = std::to_string(++version);
        o.createdAt = day - 24h;
        return o;
    }
    // As it comes from the server.
    static void setSpec(KubeObject &o, const std::string &spec)
    {
        const auto decoded = decodeObject(Resource::Leases, R"({"metadata":{"name":"x"},"spec":)" + spec + "}");
        o.lease = decoded ? decoded->lease : std::nullopt;
    }
    void hold(KubeObject &o, const std::string &holder, int duration = 15, int transitions = 3, Duration acquired = -1h)
    {
        if (o.resource == Resource::Leases) {
            setSpec(o,
                    R"({"holderIdentity":")" + holder + R"(","leaseDurationSeconds":)" + std::to_string(duration) + R"(,"acquireTime":")"
                        + text(acquired) + R"(","renewTime":")" + text(t) + R"(","leaseTransitions":)" + std::to_string(transitions) + "}");
        } else {
            o.annotations["control-plane.alpha.kubernetes.io/leader"] = R"({"holderIdentity":")" + holder + R"(","leaseDurationSeconds":)"
                + std::to_string(duration) + R"(,"acquireTime":")" + seconds(acquired) + R"(","renewTime":")" + seconds(t)
                + R"(","leaderTransitions":)" + std::to_string(transitions) + "}";
        }
    }
    KubeObject lease(const std::string &of, const std::string &holder = "pod-a_1", const std::string &ns = "db")
    {
        KubeObject o = object(Resource::Leases, of, ns);
        hold(o, holder);
        return o;
    }
    KubeObject pod(const std::string &of, const std::string &phase = "Running")
    {
        KubeObject o = object(Resource::Pods, of);
        o.pod = PodFacts{};
        o.pod->phase = phase;
        o.pod->nodeName = "node-1";
        return o;
    }
    KubeObject lifeLock(const std::string &of, const KubeObject &owner)
    {
        KubeObject o = object(Resource::ConfigMaps, of);
        o.owners = {{"Pod", owner.name, owner.uid}};
        return o;
    }

    election::Changes observe(Resource resource, decltype(Observation::what) what, const std::string &ns = "db", bool aside = false)
    {
        return store.apply({name, resource, ns, now().boot, now().wall, std::move(what), aside});
    }
    election::Changes list(Resource resource, std::vector<KubeObject> items, const std::string &ns = "db")
    {
        return observe(resource, Listed{std::to_string(version), std::move(items)}, ns);
    }
    election::Changes change(KubeObject &o, EventType type = EventType::Modified)
    {
        o.resourceVersion = std::to_string(++version);
        return observe(o.resource, Changed{type, o}, o.ns);
    }
    election::Changes renew(KubeObject &o, const std::string &holder = "pod-a_1", Duration later = 2s, int duration = 15,
                            int transitions = 3)
    {
        t += later;
        hold(o, holder, duration, transitions);
        return change(o);
    }
    // The stream of the resource brings something every other second, though nothing of the locks.
    void flow(Duration time, Resource resource = Resource::Leases)
    {
        for (Duration passed = 0s; passed < time; passed += 2s) {
            t += 2s;
            observe(resource, Bookmarked{std::to_string(version)});
        }
        store.advance(now());
    }
    election::Changes advance(Duration by)
    {
        t += by;
        return store.advance(now());
    }
    election::Changes confirm(const KubeObject &o) { return observe(o.resource, Confirmed{o.name, o.resourceVersion, o.ns}, o.ns); }
    static Error error(ErrorKind kind)
    {
        Error e;
        e.kind = kind;
        e.message = "made";
        return e;
    }
    const election::Election *find(const std::string &of, election::Family family = election::Family::ClientGo,
                                   const std::string &ns = "db") const
    {
        return store.find({name, ns, of, family});
    }
    const election::Election *life(const std::string &of) const { return find(of, election::Family::LeaderForLife); }
    State state(const std::string &of, election::Family family = election::Family::ClientGo) const
    {
        const auto *e = find(of, family);
        return e ? e->state : State(99);
    }
    int count(EventCode type) const
    {
        int n = 0;
        for (const Event &e : store.events())
            n += e.type == type ? 1 : 0;
        return n;
    }
    const Event &last(EventCode type) const
    {
        static const Event none;
        const Event *found = &none;
        for (const Event &e : store.events())
            found = e.type == type ? &e : found;
        return *found;
    }
};

} // namespace switchyard::test
