// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/archive_elections.h"

#include "app/archive/past.h"

namespace switchyard::desktop {

using archive::ArchiveReader;
using archive::ElectionPast;

const patroni::Cluster *clusterOf(const ClusterStore &store, const election::Key &key)
{
    if (key.family != election::Family::Patroni)
        return nullptr;
    for (const patroni::Cluster *cluster : store.clusters()) {
        const patroni::ClusterNames &names = cluster->names;
        if (names.key.context == key.context && names.key.ns == key.ns && names.leaderName == key.name)
            return cluster;
    }
    return nullptr;
}

ArchiveElections::ArchiveElections(archive::ArchiveReads *reads, QObject *parent)
    : QObject(parent)
    , m_reads(reads)
{}

void ArchiveElections::look(const election::Key &key, const archive::ClusterId &id, Instant since)
{
    if (m_key == key && m_id == id)
        return;
    if (m_key != key) {
        m_past = {};
        m_read = false;
    }
    m_key = key;
    m_id = id;
    m_since = since;
    lookAgain();
}

void ArchiveElections::lookAgain()
{
    if (m_key.name.empty())
        return;
    m_reads->ask<ElectionPast>(
        [key = m_key, id = m_id, since = m_since](ArchiveReader &reader) { return archive::readElectionPast(reader, key, id, since); },
        this,
        [this, key = m_key, id = m_id](const Result<ElectionPast> &past) {
            if (!past || key != m_key || id != m_id)
                return; // another one is looked at by now
            m_past = *past;
            m_read = true;
            Q_EMIT remembered();
        });
}

void ArchiveElections::add(const archive::RenewRecord &record)
{
    if (m_read && record.cluster.key() == m_id.key() && archive::addMinute(m_past.renewals, archive::minuteOf(record)))
        Q_EMIT remembered();
}

} // namespace switchyard::desktop
