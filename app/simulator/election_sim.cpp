// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/simulator/election_sim.h"

#include "app/simulator/annotations.h"

#include <array>
#include <cstdio>

namespace switchyard::simulator {

using namespace std::chrono_literals;

namespace {

constexpr auto leaderKey = "control-plane.alpha.kubernetes.io/leader";

// The same for the same candidate: its identity is that of one process.
std::string processId(const std::string &name)
{
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%08x-%04x-4%03x-9%03x-%012llx", static_cast<unsigned>(hash >> 32),
                  static_cast<unsigned>(hash >> 16) & 0xFFFF, static_cast<unsigned>(hash) & 0xFFF,
                  static_cast<unsigned>(hash >> 20) & 0xFFF, static_cast<unsigned long long>(hash & 0xFFFFFFFFFFFFULL));
    return text.data();
}

std::chrono::seconds periodOf(ElectionPlan::Type type)
{
    return type == ElectionPlan::Type::Heartbeat || type == ElectionPlan::Type::Identity ? 10s : 2s;
}

int durationOf(ElectionPlan::Type type)
{
    switch (type) {
    case ElectionPlan::Type::Heartbeat: return 40;
    case ElectionPlan::Type::Identity: return 3600;
    case ElectionPlan::Type::Released: return 1; // client-go leaderelection.go, release()
    default: return 15;
    }
}

} // namespace

ElectionSim::ElectionSim(ObjectStore &store, const ElectionPlan &plan, SimTime start)
    : m_store(store)
    , m_plan(plan)
    , m_start(start)
    , m_acquired(start - 31h * (plan.transitions + 1))
    , m_renewed(start)
    , m_next(start + periodOf(plan.type))
    , m_transitions(plan.transitions)
{
    if (plan.takeoverEvery > 0s)
        m_takeover = start + plan.takeoverEvery;
    if (plan.pods)
        createPods();
    if (plan.type == Type::ForLife)
        createForLife();
    else
        createObjects();
}

bool ElectionSim::hasLease() const
{
    return m_plan.type != Type::ConfigMap && m_plan.type != Type::ForLife;
}

std::optional<Kind> ElectionSim::annotated() const
{
    if (m_plan.type == Type::ConfigMap)
        return Kind::ConfigMaps;
    return m_plan.type == Type::EndpointsLease ? std::optional(Kind::Endpoints) : std::nullopt;
}

std::string ElectionSim::identity() const
{
    const std::string &candidate = m_plan.candidates.at(m_holder);
    const bool plain = m_plan.type == Type::Heartbeat || candidate.find('_') != std::string::npos;
    return m_plan.type == Type::Released ? std::string() : plain ? candidate : candidate + '_' + processId(candidate);
}

// A heartbeat tells neither when it was acquired nor how often.
Json ElectionSim::spec() const
{
    Json spec{{"holderIdentity", identity()}, {"leaseDurationSeconds", durationOf(m_plan.type)}, {"renewTime", microText(m_renewed)}};
    if (m_plan.type == Type::Heartbeat)
        return spec;
    spec["acquireTime"] = microText(m_plan.type == Type::Released ? m_renewed : m_acquired);
    spec["leaseTransitions"] = m_transitions;
    return spec;
}

std::string ElectionSim::annotation() const
{
    return Json{{"holderIdentity", identity()},
                {"leaseDurationSeconds", durationOf(m_plan.type)},
                {"acquireTime", secondsText(m_acquired)},
                {"renewTime", secondsText(m_renewed)},
                {"leaderTransitions", m_transitions}}
        .dump();
}

void ElectionSim::createPods()
{
    for (const std::string &name : m_plan.candidates) {
        const Json owner{{"apiVersion", "apps/v1"}, {"kind", "ReplicaSet"}, {"name", m_plan.name}, {"uid", processId(m_plan.name)}};
        const Json status{{"name", m_plan.name}, {"ready", true}, {"restartCount", 0}, {"state", {{"running", Json::object()}}}};
        m_store.create(Kind::Pods, m_plan.ns,
                       {{"metadata", {{"name", name}, {"labels", {{"app", m_plan.name}}}, {"ownerReferences", Json::array({owner})}}},
                        {"spec", {{"nodeName", "worker-1"}, {"containers", Json::array({{{"name", m_plan.name}}})}}},
                        {"status",
                         {{"phase", "Running"},
                          {"podIP", "10.20.0.9"},
                          {"conditions", Json::array({{{"type", "Ready"}, {"status", "True"}}})},
                          {"containerStatuses", Json::array({status})}}}},
                       m_start - 40h);
    }
}

void ElectionSim::createObjects()
{
    const SimTime made = m_acquired - 200h;
    Json metadata{{"name", m_plan.name}};
    if (m_plan.type == Type::Identity)
        metadata["labels"] = {{"apiserver.kubernetes.io/identity", "kube-apiserver"}};
    if (m_plan.type == Type::Heartbeat)
        metadata["ownerReferences"] = Json::array(
            {{{"apiVersion", "v1"}, {"kind", "Node"}, {"name", m_plan.name}, {"uid", processId(m_plan.name)}}});
    if (hasLease())
        m_store.create(Kind::Leases, m_plan.ns, {{"metadata", metadata}, {"spec", spec()}}, made);
    if (const auto kind = annotated()) {
        metadata["annotations"] = {{leaderKey, annotation()}};
        m_store.create(*kind, m_plan.ns, {{"metadata", metadata}}, made);
    }
}

// operator-lib leader/leader.go: no data, one owner.
void ElectionSim::createForLife()
{
    const Object pod = m_store.find(Kind::Pods, m_plan.ns, m_plan.candidates.at(m_holder));
    const Json owner{{"apiVersion", "v1"},
                     {"kind", "Pod"},
                     {"name", m_plan.candidates.at(m_holder)},
                     {"uid", pod ? pod->at("metadata").at("uid") : Json(processId("gone"))}};
    m_store.create(Kind::ConfigMaps, m_plan.ns, {{"metadata", {{"name", m_plan.name}, {"ownerReferences", Json::array({owner})}}}},
                   m_start - 39h);
}

void ElectionSim::advance(SimTime now)
{
    if (m_plan.type == Type::Released || m_plan.type == Type::ForLife)
        return;
    while (m_next <= now) {
        if (m_takeover && *m_takeover <= m_next)
            takeOver(m_next);
        renew(m_next);
        m_next += periodOf(m_plan.type);
    }
}

void ElectionSim::renew(SimTime at)
{
    m_renewed = at;
    if (hasLease())
        m_store.patch(Kind::Leases, m_plan.ns, m_plan.name, {{"spec", spec()}});
    if (const auto kind = annotated())
        m_store.patch(*kind, m_plan.ns, m_plan.name, {{"metadata", {{"annotations", {{leaderKey, annotation()}}}}}});
}

void ElectionSim::takeOver(SimTime at)
{
    m_takeover = at + m_plan.takeoverEvery;
    m_holder = (m_holder + 1) % m_plan.candidates.size();
    m_acquired = at;
    ++m_transitions;
    sayLeader(at);
}

// client-go resourcelock: RecordEvent()
void ElectionSim::sayLeader(SimTime at)
{
    const char *kind = hasLease() ? "Lease" : "ConfigMap";
    m_store.create(Kind::Events, m_plan.ns,
                   {{"metadata", {{"name", m_plan.name + ".17f" + std::to_string(++m_events)}}},
                    {"involvedObject", {{"kind", kind}, {"namespace", m_plan.ns}, {"name", m_plan.name}}},
                    {"reason", "LeaderElection"},
                    {"message", identity() + " became leader"},
                    {"type", "Normal"},
                    {"source", {{"component", identity()}}},
                    {"count", 1},
                    {"firstTimestamp", secondsText(at)},
                    {"lastTimestamp", secondsText(at)}},
                   at);
}

} // namespace switchyard::simulator
