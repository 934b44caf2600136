// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A Lease of an ordinary client-go election, renewed for ever: something to show beside the Patroni clusters.
#include "app/simulator/object_store.h"

namespace switchyard::simulator {

class ElectionSim
{
public:
    ElectionSim(ObjectStore &store, std::string ns, std::string name, std::string holder, int transitions, SimTime start);
    void advance(SimTime now);

private:
    static constexpr std::chrono::seconds period{2};
    ObjectStore &m_store;
    std::string m_ns, m_name;
    SimTime m_next;
};

} // namespace switchyard::simulator
