// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the window's archive remembers of the election that is looked at.
#include "app/archive/archive_reads.h"
#include "app/archive/election_past.h"
#include "models/store/cluster_store.h"

namespace switchyard::desktop {

class ArchiveElections : public QObject
{
    Q_OBJECT
public:
    explicit ArchiveElections(archive::ArchiveReads *reads, QObject *parent = nullptr);
    // Reads what is kept since then, unless that was read under this name already.
    void look(const election::Key &key, const archive::ClusterId &id, Instant since);
    void lookAgain();                             // the archive could not be read before
    void add(const archive::RenewRecord &record); // on its way into the archive
    const election::Key &key() const { return m_key; }
    const archive::ElectionPast &past() const { return m_past; }

Q_SIGNALS:
    void remembered(); // past() of key() has more to say

private:
    archive::ArchiveReads *m_reads;
    election::Key m_key;
    archive::ClusterId m_id;
    Instant m_since{};
    bool m_read = false;
    archive::ElectionPast m_past;
};

// Whose lock it is. nullptr: no Patroni cluster's, or it is not seen.
const patroni::Cluster *clusterOf(const ClusterStore &store, const election::Key &key);

} // namespace switchyard::desktop
