// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/switchover_dialog.h"

#include "views/dialogs/candidates_table.h"
#include "views/dialogs/fold.h"
#include "views/dialogs/problem_list.h"
#include "views/dialogs/when_box.h"
#include "views/pages/cluster/parts.h"
#include "views/requests.h"
#include "views/style/metrics.h"
#include "views/words.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using patroni::Cluster;

struct SwitchoverDialog::Impl
{
    Cluster cluster;
    Now now;
    std::string leader; // at the time the dialog opened: a change of leader is a problem, not a silent update

    ElidedLabel *title = nullptr;
    CandidatesTable *candidates = nullptr;
    WhenBox *when = nullptr;
    QCheckBox *replace = nullptr;
    ProblemList *problems = nullptr;
    Fold *written = nullptr;
    QPushButton *go = nullptr;

    void build(SwitchoverDialog *dialog);
    QDialogButtonBox *buildButtons(SwitchoverDialog *dialog);
    rules::ActionWish wish() const;
    QString preview() const;
    QList<ShownProblem> collect() const;
    void check();
};

namespace {

QString nameOf(const Cluster &cluster)
{
    const auto &key = cluster.names.key;
    return u"%1 / %2"_s.arg(text(key.context), text(key.text()));
}

} // namespace

QDialogButtonBox *SwitchoverDialog::Impl::buildButtons(SwitchoverDialog *dialog)
{
    auto *box = new QDialogButtonBox(dialog);
    go = box->addButton(tr("C&ontinue\u2026"), QDialogButtonBox::AcceptRole);
    auto *cancel = box->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    go->setAutoDefault(false);
    cancel->setDefault(true);
    connect(box, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
    connect(box, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    return box;
}

void SwitchoverDialog::Impl::build(SwitchoverDialog *dialog)
{
    title = new ElidedLabel(dialog);
    title->setFont(titleFont(title->font()));
    title->setTextFormat(Qt::PlainText);
    candidates = new CandidatesTable(dialog);
    when = new WhenBox(now, dialog);
    when->setFixedWidth(qMax(34 * grid, when->sizeHint().width()));
    replace = new QCheckBox(dialog);
    replace->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    liftIndicator(replace);
    problems = new ProblemList(dialog);
    written = new Fold(tr("What will be written, and the equivalent command"), dialog);

    auto *column = new QVBoxLayout(dialog);
    column->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
    column->setSpacing(grid);
    column->addWidget(title);
    auto *halves = new QHBoxLayout;
    halves->setSpacing(pageMargin);
    halves->addWidget(candidates, 1);
    halves->addWidget(when);
    column->addLayout(halves, 1);
    column->addWidget(replace);
    column->addWidget(problems);
    column->addWidget(written);
    column->addWidget(buildButtons(dialog));
    connect(candidates, &CandidatesTable::choiceChanged, dialog, [this] { check(); });
    connect(when, &WhenBox::changed, dialog, [this] { check(); });
    connect(replace, &QCheckBox::toggled, dialog, [this] { check(); });
}

rules::ActionWish SwitchoverDialog::Impl::wish() const
{
    rules::ActionWish result = rules::switchoverWish(leader, candidates->chosen());
    if (when->scheduled())
        result.at = when->time().instant;
    return result;
}

QList<ShownProblem> SwitchoverDialog::Impl::collect() const
{
    QList<ShownProblem> shown;
    if (when->scheduled() && !when->time().instant)
        shown << ShownProblem{rules::Severity::Blocks, explained(when->time())};
    for (const auto &problem : rules::preflight(cluster, wish(), {}, now).request) {
        if (problem.rule == rules::RuleCode::AlreadyPending && !replace->isChecked())
            shown << ShownProblem{rules::Severity::Blocks, tr("A request is pending. Say that it may be replaced, or cancel it first.")};
        else
            shown << ShownProblem{problem.severity, words(problem)};
    }
    std::stable_sort(shown.begin(), shown.end(), [](const auto &a, const auto &b) { return a.severity > b.severity; });
    return shown;
}

QString SwitchoverDialog::Impl::preview() const
{
    const auto w = wish();
    const QString at = w.at ? text(formatScheduledAt(*w.at)) : when->scheduled() ? tr("(not a usable time)") : u"null"_s;
    QString result = u"%1 %2/%3\n  leader: %4\n  member: %5\n  scheduled_at: %6\n\n"_s.arg(
        words(cluster.names.mode), text(cluster.names.key.ns), text(cluster.names.failoverName), text(w.leader.value_or("")),
        w.candidate ? text(*w.candidate) : u"null"_s, at);
    return result + patronictlCommand(cluster.names.key, w);
}

void SwitchoverDialog::Impl::check()
{
    const auto shown = collect();
    problems->show(shown);
    written->setText(preview());
    const auto blocking = std::find_if(shown.begin(), shown.end(), [](const auto &p) { return p.severity == rules::Severity::Blocks; });
    go->setEnabled(blocking == shown.end());
    go->setToolTip(blocking == shown.end() ? tr("Shows exactly what will be written; nothing is written before you confirm it.")
                                           : blocking->text);
    go->setAccessibleDescription(go->toolTip());
}

SwitchoverDialog::SwitchoverDialog(const Cluster &cluster, Now now, QWidget *parent)
    : QDialog(parent)
    , d(std::make_unique<Impl>())
{
    d->cluster = cluster;
    d->now = now;
    d->leader = cluster.leaderName.value_or("");
    setWindowTitle(tr("Switchover of %1").arg(text(cluster.names.key.text())));
    d->build(this);
    setCluster(cluster, now);
    resize(960, qMax(440, sizeHint().height()));
    d->candidates->setFocus();
}

SwitchoverDialog::~SwitchoverDialog() = default;

void SwitchoverDialog::setCluster(const Cluster &cluster, Now now)
{
    d->cluster = cluster;
    d->now = now;
    const QString from = d->leader.empty() ? tr("nobody leads") : tr("from %1").arg(text(d->leader));
    d->title->setText(tr("Switchover of %1, %2").arg(nameOf(cluster), from));
    d->candidates->show(cluster, rules::preflight(cluster, d->wish(), {}, now));
    const bool pending = cluster.failover && (cluster.failover->pending() || cluster.failover->scheduledAtRaw);
    d->replace->setVisible(pending);
    if (pending) {
        const auto *report = cluster.pendingRequest();
        d->replace->setText(
            tr("&Replace what is pending: %1").arg(report ? requestSentence(*report, now) : requestWish(*cluster.failover)));
    } else {
        d->replace->setChecked(false);
    }
    d->check();
}

void SwitchoverDialog::tick(Now now)
{
    d->now = now;
    d->when->tick(now);
    d->check();
}

rules::ActionWish SwitchoverDialog::wish() const
{
    return d->wish();
}

} // namespace switchyard::views
