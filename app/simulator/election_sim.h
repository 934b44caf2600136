// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One leader election beside the Patroni clusters, as client-go (or an operator, or a kubelet) writes it: renewed for ever, and now and then
// taken over by the next candidate.
#include "app/simulator/object_store.h"
#include "app/simulator/simulator.h"

namespace switchyard::simulator {

class ElectionSim
{
public:
    ElectionSim(ObjectStore &store, const ElectionPlan &plan, SimTime start);
    void advance(SimTime now);

private:
    using Type = ElectionPlan::Type;
    bool hasLease() const;
    std::optional<Kind> annotated() const;
    Json spec() const;
    std::string annotation() const;
    void createPods();
    void createObjects();
    void createForLife();
    void renew(SimTime at);
    void takeOver(SimTime at);
    void sayLeader(SimTime at);
    std::string identity() const;

    ObjectStore &m_store;
    ElectionPlan m_plan;
    SimTime m_start, m_acquired, m_renewed, m_next;
    std::optional<SimTime> m_takeover;
    std::size_t m_holder = 0;
    int m_transitions, m_events = 0;
};

} // namespace switchyard::simulator
