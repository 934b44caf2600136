// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/simulator/election_sim.h"

#include "app/simulator/annotations.h"

namespace switchyard::simulator {

using namespace std::chrono_literals;

ElectionSim::ElectionSim(ObjectStore &store, std::string ns, std::string name, std::string holder, int transitions, SimTime start)
    : m_store(store)
    , m_ns(std::move(ns))
    , m_name(std::move(name))
    , m_next(start + period)
{
    const SimTime acquired = start - 31h * (transitions + 1);
    const Json spec{{"holderIdentity", holder},
                    {"leaseDurationSeconds", 15},
                    {"acquireTime", microText(acquired)},
                    {"renewTime", microText(start)},
                    {"leaseTransitions", transitions}};
    m_store.create(Kind::Leases, m_ns, {{"metadata", {{"name", m_name}}}, {"spec", spec}}, acquired - 200h);
}

void ElectionSim::advance(SimTime now)
{
    while (m_next <= now) {
        m_store.patch(Kind::Leases, m_ns, m_name, {{"spec", {{"renewTime", microText(m_next)}}}});
        m_next += period;
    }
}

} // namespace switchyard::simulator
