// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/problem_list.h"

#include "views/pages/cluster/parts.h"
#include "views/style/metrics.h"

#include <QVBoxLayout>

namespace switchyard::views {

namespace {

Tone toneOf(rules::Severity severity)
{
    switch (severity) {
    case rules::Severity::Blocks: return Tone::Bad;
    case rules::Severity::Warning: return Tone::Warning;
    case rules::Severity::Note: break;
    }
    return Tone::Unknown;
}

} // namespace

ProblemList::ProblemList(QWidget *parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(grid / 2);
    setAccessibleName(tr("Problems"));
}

void ProblemList::show(const QList<ShownProblem> &problems)
{
    if (m_shown == problems)
        return;
    m_shown = problems;
    while (QLayoutItem *item = m_column->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    const auto line = [this](Tone tone, const QString &text) {
        auto *label = new StateLabel(this);
        label->setState(tone, text);
        m_column->addWidget(label);
    };
    for (const auto &problem : problems)
        line(toneOf(problem.severity), problem.text);
    if (problems.isEmpty())
        line(Tone::Good, tr("Nothing stands against it, as far as the objects tell."));
}

QString ProblemList::text() const
{
    QStringList lines;
    for (const auto &problem : m_shown.value_or(QList<ShownProblem>{}))
        lines << problem.text;
    return lines.join(QLatin1Char('\n'));
}

} // namespace switchyard::views
