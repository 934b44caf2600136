// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/request_dialog.h"

#include "views/dialogs/candidates_table.h"
#include "views/dialogs/fold.h"
#include "views/dialogs/preflight_text.h"
#include "views/dialogs/problem_list.h"
#include "views/pages/cluster/parts.h"
#include "views/requests.h"
#include "views/style/metrics.h"
#include "views/words.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using patroni::Cluster;
using rules::ActionKind;

struct RequestDialog::Impl
{
    ActionKind kind{};
    Cluster cluster;
    Now now;
    std::optional<std::string> leader; // when the dialog opened: a change of leader is a problem, or at least said
    rules::LiveAnswers answers;
    QString notAsked;
    rules::Preflight judged;

    ElidedLabel *title = nullptr;
    CandidatesTable *candidates = nullptr;
    StateLabel *reach = nullptr, *pending = nullptr;
    QCheckBox *byRest = nullptr, *replace = nullptr;
    ProblemList *problems = nullptr;
    Fold *rulesFold = nullptr, *written = nullptr;
    QPushButton *go = nullptr;
    QScrollArea *area = nullptr; // at large text it is more than a small screen holds

    bool failover() const { return kind == ActionKind::Failover; }
    // From whom the office is taken. A failover names nobody: from whoever has it.
    const std::optional<std::string> &from() const { return failover() ? cluster.leaderName : leader; }
    void build(RequestDialog *dialog, QWidget *side);
    void buildChecks(RequestDialog *dialog, QWidget *body);
    QDialogButtonBox *buildButtons(RequestDialog *dialog);
    void showTitle();
    void showPending();
    void showReach();
    QString preview(const rules::ActionWish &wish, bool timeMissing) const;
    QList<ShownProblem> collect(const QString &timeProblem) const;
};

namespace {

QString nameOf(const Cluster &cluster)
{
    const auto &key = cluster.names.key;
    return u"%1 / %2"_s.arg(text(key.context), text(key.text()));
}

QString difference(ActionKind kind)
{
    return kind == ActionKind::Failover
        ? RequestDialog::tr(
            "A failover makes the named member leader, also when the leader is dead or does not answer. What had not reached "
            "that member is lost. While the leader works, a switchover is the better way.")
        : RequestDialog::tr(
            "A switchover needs a leader that works: it writes everything down, steps down in good order and is followed by a "
            "member that has caught up. Nothing is lost. Without a working leader, fail over.");
}

// A name's "&" would be taken for a shortcut mark.
QString plain(QString name)
{
    return name.replace(u'&', u"&&"_s);
}

} // namespace

QDialogButtonBox *RequestDialog::Impl::buildButtons(RequestDialog *dialog)
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

void RequestDialog::Impl::buildChecks(RequestDialog *dialog, QWidget *body)
{
    byRest = new QCheckBox(body);
    replace = new QCheckBox(tr("&Replace what is pending"), body);
    for (QCheckBox *check : {byRest, replace}) {
        check->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        liftIndicator(check);
        connect(check, &QCheckBox::toggled, dialog, [dialog] { dialog->check(); });
    }
    byRest->setToolTip(
        tr("The object is the safer way: it is tried beforehand and refused when somebody else was faster. Patroni's REST API "
           "acts at once instead of in the next loop, and says in its own words why it does not."));
}

void RequestDialog::Impl::build(RequestDialog *dialog, QWidget *side)
{
    title = new ElidedLabel(dialog);
    title->setFont(titleFont(title->font()));
    title->setTextFormat(Qt::PlainText);
    auto *body = new QWidget;
    auto *explained = new CaptionLabel(difference(kind), body);
    explained->setWordWrap(true);
    candidates = new CandidatesTable(body);
    candidates->setOpenChoice(!failover());
    side->setParent(body);
    side->setFixedWidth(qMax(34 * grid, side->sizeHint().width()));
    reach = new StateLabel(body);
    buildChecks(dialog, body);
    pending = new StateLabel(body);
    problems = new ProblemList(body);
    rulesFold = new Fold(tr("Every rule, and where Patroni has it"), body);
    written = new Fold(tr("What will be written, and the equivalent command"), body);
    auto *rows = new QVBoxLayout(body);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(grid);
    rows->addWidget(explained);
    auto *halves = new QHBoxLayout;
    halves->setSpacing(pageMargin);
    halves->addWidget(candidates, 1);
    halves->addWidget(side);
    rows->addLayout(halves, 1);
    for (QWidget *line : QList<QWidget *>{reach, problems, pending, replace, byRest, rulesFold, written})
        rows->addWidget(line);
    area = new QScrollArea(dialog);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(body);
    area->setMinimumWidth(body->minimumSizeHint().width());
    auto *column = new QVBoxLayout(dialog);
    column->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
    column->setSpacing(grid);
    column->addWidget(title);
    column->addWidget(area, 1);
    column->addWidget(buildButtons(dialog));
    connect(candidates, &CandidatesTable::choiceChanged, dialog, [dialog] { dialog->check(); });
}

void RequestDialog::Impl::showTitle()
{
    QString whom = tr("nobody leads");
    if (from())
        whom = tr("from %1").arg(text(*from()));
    else if (patroni::writeBar(cluster))
        whom = tr("who leads now is not known");
    title->setText((failover() ? tr("Failover of %1, %2") : tr("Switchover of %1, %2")).arg(nameOf(cluster), whom));
    const QString target = plain(text(from().value_or("")));
    byRest->setText(from() ? tr("Send it to %1's &REST API instead of writing the object").arg(target)
                           : tr("Send it to the member's &REST API instead of writing the object"));
}

void RequestDialog::Impl::showPending()
{
    const bool any = cluster.seenFailover() && hasRequest(cluster); // what Patroni does not see is said below
    pending->setVisible(any);
    replace->setVisible(any);
    if (!any) {
        replace->setChecked(false);
        return;
    }
    const auto *report = cluster.pendingRequest();
    pending->setState(Tone::Warning, tr("Pending: %1").arg(report ? requestSentence(*report, now) : requestWish(*cluster.failover)));
}

void RequestDialog::Impl::showReach()
{
    reach->setState(notAsked.isEmpty() && !answers.empty() ? Tone::Neutral : Tone::Unknown, reachText(answers, notAsked, now));
}

QList<ShownProblem> RequestDialog::Impl::collect(const QString &timeProblem) const
{
    QList<ShownProblem> shown;
    if (!timeProblem.isEmpty())
        shown << ShownProblem{rules::Severity::Blocks, timeProblem};
    if (failover() && cluster.leaderName && cluster.leaderName != leader) {
        const QString present = text(*cluster.leaderName);
        shown << ShownProblem{rules::Severity::Warning,
                              leader ? tr("%1 leads now; it was %2 when this was opened.").arg(present, text(*leader))
                                     : tr("%1 leads now; nobody did when this was opened.").arg(present)};
    }
    for (const rules::Finding &finding : judged.request) {
        const bool pendingToo = finding.rule == rules::RuleCode::AlreadyPending; // has a line of its own
        if (pendingToo && !replace->isChecked())
            shown << ShownProblem{rules::Severity::Blocks, tr("A request is pending. Say that it may be replaced, or cancel it first.")};
        else if (!pendingToo)
            shown << ShownProblem{finding.severity, words(finding)};
    }
    std::stable_sort(shown.begin(), shown.end(), [](const auto &a, const auto &b) { return a.severity > b.severity; });
    return shown;
}

QString RequestDialog::Impl::preview(const rules::ActionWish &wish, bool timeMissing) const
{
    const QString none = u"null"_s;
    const QString at = wish.at ? text(formatScheduledAt(*wish.at)) : timeMissing ? tr("(not a usable time)") : none;
    const auto named = [&](const std::optional<std::string> &name) { return name ? text(*name) : none; };
    const QString where = wish.byRest
        ? u"POST %1 /%2"_s.arg(named(from() ? from() : wish.candidate), failover() ? u"failover"_s : u"switchover"_s)
        : u"%1 %2/%3"_s.arg(words(cluster.names.mode), text(cluster.names.key.ns), text(cluster.names.failoverName));
    return u"%1\n  leader: %2\n  %3: %4\n  scheduled_at: %5\n\n"_s.arg(
               where, failover() ? none : named(wish.leader), wish.byRest ? u"candidate"_s : u"member"_s, named(wish.candidate), at)
        + patronictlCommand(cluster.names.key, wish);
}

RequestDialog::RequestDialog(ActionKind kind, const Cluster &cluster, Now now, QWidget *side, QWidget *parent)
    : ChooseDialog(parent)
    , d(std::make_unique<Impl>())
{
    d->kind = kind;
    d->cluster = cluster;
    d->now = now;
    d->leader = cluster.leaderName;
    d->notAsked = tr("members were not asked");
    setWindowTitle((kind == ActionKind::Failover ? tr("Failover of %1") : tr("Switchover of %1")).arg(text(cluster.names.key.text())));
    d->build(this, side);
    d->candidates->setFocus();
}

RequestDialog::~RequestDialog() = default;

const rules::Preflight &RequestDialog::judged() const
{
    return d->judged;
}

const Cluster &RequestDialog::cluster() const
{
    return d->cluster;
}

void RequestDialog::fitToScreen()
{
    const QSize room = screen()->availableGeometry().size() * 9 / 10;
    const QWidget *body = d->area->widget();
    const int width = qMin(qMax(1040, body->sizeHint().width() + 2 * pageMargin), room.width());
    const int inside = width - 2 * pageMargin;
    const int wanted = body->layout()->hasHeightForWidth() ? body->layout()->totalHeightForWidth(inside) : body->sizeHint().height();
    const int around = layout()->sizeHint().height() - d->area->sizeHint().height();
    resize(width, qMin(qMax(480, wanted + around), room.height()));
}

void RequestDialog::changeEvent(QEvent *event)
{
    ChooseDialog::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !d || !d->replace)
        return;
    liftIndicator(d->byRest);
    liftIndicator(d->replace);
}

void RequestDialog::check()
{
    const rules::ActionWish chosen = wish();
    d->judged = rules::preflight(d->cluster, chosen, d->answers, d->now);
    d->candidates->show(d->cluster, d->judged, d->answers, d->now);
    d->showReach();
    const auto problems = d->collect(timeProblem());
    d->problems->show(problems);
    d->rulesFold->setText(rulesText(d->judged));
    d->written->setText(d->preview(chosen, !timeProblem().isEmpty()));
    const bool blocked = !problems.isEmpty() && problems.front().severity == rules::Severity::Blocks;
    d->go->setEnabled(!blocked);
    d->go->setToolTip(blocked ? problems.front().text
                              : tr("Shows exactly what will be written; nothing is written before you confirm it."));
    d->go->setAccessibleDescription(d->go->toolTip());
    shown(d->now);
}

rules::ActionWish RequestDialog::wish() const
{
    rules::ActionWish result;
    result.kind = d->kind;
    result.candidate = d->candidates->chosen();
    result.byRest = d->byRest->isChecked();
    if (!d->failover())
        result.leader = d->leader.value_or("");
    result.at = at();
    return result;
}

void RequestDialog::setCluster(const Cluster &cluster, Now now)
{
    d->cluster = cluster;
    d->now = now;
    d->showTitle();
    d->showPending();
    check();
}

void RequestDialog::tick(Now now)
{
    d->now = now;
    d->showPending();
    check();
}

void RequestDialog::setAnswers(const rules::LiveAnswers &answers)
{
    d->answers = answers;
    check();
}

void RequestDialog::setNotAsked(const QString &why)
{
    d->notAsked = why;
    check();
}

void RequestDialog::preselect(const std::string &member)
{
    d->candidates->choose(member);
}

void RequestDialog::setWish(const rules::ActionWish &wish)
{
    d->candidates->choose(wish.candidate);
    d->byRest->setChecked(wish.byRest);
    if (wish.at)
        setAt(*wish.at);
}

} // namespace switchyard::views
