// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Writes records as rows, within one transaction of its caller: each once, whoever else has it already, and merged with what is there.
#include "app/archive/database.h"
#include "app/archive/records.h"

namespace switchyard::archive {

struct KeptTransition
{
    QVariant row;
    std::string data;
    patroni::Transition transition;
};

class RowWriter
{
public:
    explicit RowWriter(Database &database);
    Result<void> write(const Record &record);
    // A cluster's row, made when there is none.
    Result<std::int64_t> clusterRow(const ClusterId &cluster, Instant at);

private:
    Result<QString> serverText(const ServerId &server);
    Result<void> adopt(const QString &alias, const QString &uid);
    Result<void> moveRows(const QVariant &from, const QVariant &to);
    Result<void> touch(std::int64_t row, const ClusterId &cluster, Instant at);
    Result<void> addText(const char *kind, std::int64_t cluster, const std::string &id, Instant at, const std::string &body);

    Result<std::optional<KeptTransition>> keptTransition(const QString &where, const QVariantList &values);
    Result<std::optional<KeptTransition>> sameTimeline(std::int64_t cluster, const TransitionRecord &record, const QVariant &notRow);
    Result<void> fold(const KeptTransition &other, const QVariant &into);
    Result<void> store(std::int64_t cluster, const TransitionRecord &record, const patroni::Transition &t, const KeptTransition *kept);

    Result<void> put(const EventRecord &record);
    Result<void> put(const TransitionRecord &record);
    Result<void> put(const RequestRecord &record);
    Result<void> put(const SnapshotRecord &record);
    Result<void> put(const ConfigRecord &record);
    Result<void> put(const TimelineRecord &record);
    Result<void> put(const RenewRecord &record);
    Result<void> put(const AuditRecord &record);
    Result<void> put(const NoteRecord &record);

    Database &m_database;
    std::map<QString, QString> m_servers;
    std::map<QString, std::int64_t> m_clusters;
};

// When a transition or a request happened, as far as it is known.
Instant timeOf(const patroni::Transition &transition);
Instant timeOf(const patroni::RequestReport &request, Now now);

} // namespace switchyard::archive
