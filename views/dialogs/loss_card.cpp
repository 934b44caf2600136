// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/loss_card.h"

#include "views/style/metrics.h"
#include "views/words.h"

#include <QVBoxLayout>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

QString lsnText(const std::optional<Lsn> &lsn)
{
    return lsn ? text(formatLsn(*lsn)) : unknownText();
}

QString amountWords(const rules::DataLoss &loss)
{
    if (!loss.bytes)
        return LossCard::tr("unknown how much");
    if (*loss.bytes == 0)
        return LossCard::tr("0 B: it has all that the leader reported");
    return LossCard::tr("up to %1 (%2)").arg(bytesText(*loss.bytes), bytesExactText(*loss.bytes));
}

} // namespace

LossCard::LossCard(QWidget *parent)
    : Card(tr("What may be lost"), parent)
    , m_amount(new StateLabel(this))
    , m_sync(new StateLabel(this))
    , m_positions(new QLabel(this))
    , m_age(new CaptionLabel({}, this))
{
    m_amount->label()->setFont(strongFont(m_amount->label()->font()));
    m_positions->setTextFormat(Qt::PlainText);
    m_positions->setFont(monospaceFont(m_positions->font()));
    m_positions->setWordWrap(true);
    m_positions->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_age->setWordWrap(true);
    for (QWidget *line : QList<QWidget *>{m_amount, m_positions, m_sync, m_age})
        body()->addWidget(line);
    body()->addStretch(1);
}

QString LossCard::text() const
{
    return QStringList{m_amount->text(), m_positions->text(), m_sync->text(), m_age->text()}.join(u'\n');
}

void LossCard::show(const patroni::Cluster &cluster, const std::optional<std::string> &candidate,
                    const std::optional<rules::DataLoss> &loss, Now now)
{
    const bool known = candidate && loss;
    m_positions->setVisible(known);
    m_sync->setVisible(known);
    m_age->setVisible(known);
    if (!known) {
        m_amount->setState(Tone::Unknown, candidate ? tr("unknown") : tr("Choose a candidate to see it."));
        return;
    }
    m_amount->setState(!loss->bytes ? Tone::Unknown : *loss->bytes == 0 ? Tone::Good : Tone::Warning, amountWords(*loss));
    m_positions->setText(tr("leader     %1\ncandidate  %2").arg(lsnText(loss->leaderAt), lsnText(loss->candidateAt)));
    m_sync->setState(loss->synchronous ? Tone::Good : Tone::Warning,
                     loss->synchronous ? tr("A synchronous standby: nothing that was confirmed to a client is lost.")
                                       : tr("Not a synchronous standby: transactions that were confirmed to clients may be lost."));
    const auto renewed = cluster.lock.changedNotAfter;
    m_age->setText(
        tr("The leader's position is the one that it reported last, %1; what it wrote since is not counted.").arg(agoText(renewed, now)));
}

} // namespace switchyard::views
