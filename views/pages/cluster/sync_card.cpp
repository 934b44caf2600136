// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/cluster/sync_card.h"

#include "views/words.h"

#include <QVBoxLayout>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using patroni::SyncMode;

SyncCard::SyncCard(QWidget *parent)
    : Card(tr("Synchronous replication"), parent)
    , m_head(new StateLabel(this))
    , m_names(new QLabel(this))
    , m_note(new CaptionLabel({}, this))
{
    m_names->setTextFormat(Qt::PlainText);
    m_names->setWordWrap(true);
    m_names->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_note->setWordWrap(true);
    body()->addWidget(m_head);
    body()->addWidget(m_names);
    body()->addWidget(m_note);
    body()->addStretch(1);
}

void SyncCard::show(const patroni::Cluster &cluster)
{
    m_names->clear();
    m_note->clear();
    if (!cluster.config || !cluster.config->config.present) {
        m_head->setState(Tone::Unknown, unknownText());
        m_note->setText(tr("The dynamic configuration cannot be read."));
    } else if (const auto &config = cluster.config->config; config.syncMode == SyncMode::Off) {
        m_head->setState(Tone::Neutral, tr("off"));
        m_note->setText(tr("All replicas are asynchronous."));
    } else if (!cluster.sync || !cluster.sync->leader || cluster.sync->unreadable) {
        m_head->setState(Tone::Unknown, tr("on, standbys unknown"));
        m_note->setText(cluster.sync && cluster.sync->unreadable ? tr("The sync object cannot be read.")
                                                                 : tr("The sync object names no leader: the mode is not active yet."));
    } else {
        const auto &sync = *cluster.sync;
        QStringList names;
        for (const auto &name : sync.standbys)
            names << text(name);
        const bool quorum = config.syncMode == SyncMode::Quorum;
        const QString mode = config.syncStrict ? tr("%1, strict").arg(words(config.syncMode)) : words(config.syncMode);
        const Tone tone = !names.isEmpty() ? Tone::Good : config.syncStrict ? Tone::Bad : Tone::Warning;
        m_head->setState(tone,
                         names.isEmpty() ? tr("%1, no standby").arg(mode)
                                         : tr("%1, %2 of %3").arg(mode).arg(names.size()).arg(config.syncNodeCount));
        m_names->setText(names.join(u'\n'));
        QString note = quorum
            ? tr("Quorum %1: these vote; not each of them is synchronous.").arg(sync.quorum ? QString::number(*sync.quorum) : unknownText())
            : QString();
        if (cluster.leaderName && sync.leader != cluster.leaderName)
            note += (note.isEmpty() ? QString() : u" "_s) + tr("Written by %1, which does not lead now.").arg(text(*sync.leader));
        m_note->setText(note);
    }
    m_names->setVisible(!m_names->text().isEmpty());
    m_note->setVisible(!m_note->text().isEmpty());
}

} // namespace switchyard::views
