// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/edit_config_dialog.h"

#include "views/dialogs/config_editor.h"
#include "views/pages/cluster/parts.h"
#include "views/style/metrics.h"
#include "views/words.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using rules::Severity;

namespace {

QPlainTextEdit *readOnlyText(const QString &name, QWidget *parent)
{
    auto *text = new QPlainTextEdit(parent);
    text->setReadOnly(true);
    text->setTabChangesFocus(true);
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    text->setFont(monospaceFont(text->font()));
    text->setAccessibleName(name);
    return text;
}

void put(QPlainTextEdit *edit, const QString &text)
{
    if (edit->toPlainText() != text)
        edit->setPlainText(text);
}

} // namespace

EditConfigDialog::EditConfigDialog(const ConfigTools &tools, const patroni::Cluster &cluster, Now now, QWidget *parent)
    : ActionDialog(rules::ActionKind::EditConfig, cluster, now, parent)
    , m_tools(tools)
    , m_asYaml(new QRadioButton(tr("&YAML"), this))
    , m_asJson(new QRadioButton(tr("&JSON"), this))
    , m_versions(new QComboBox(this))
    , m_moved(new Banner(this))
    , m_merge(new QPushButton(tr("&Put both together"), this))
    , m_editor(new ConfigEditor(this))
    , m_below(new QTabWidget(this))
    , m_diff(readOnlyText(tr("Difference to what is stored"), this))
    , m_findings(readOnlyText(tr("What Patroni would make of it"), this))
{
    m_editor->setAccessibleName(tr("Dynamic configuration"));
    middle()->addWidget(buildHead());
    m_merge->setAutoDefault(false);
    m_moved->addAtEnd(m_merge);
    middle()->addWidget(m_moved);
    auto *splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(m_editor);
    splitter->addWidget(buildBelow());
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    middle()->addWidget(splitter, 1);
    m_later.setSingleShot(true);
    m_later.setInterval(200ms);
    connect(&m_later, &QTimer::timeout, this, &EditConfigDialog::read);
    connect(m_editor, &QPlainTextEdit::textChanged, &m_later, qOverload<>(&QTimer::start));
    connect(m_asYaml, &QRadioButton::toggled, this, &EditConfigDialog::setYaml);
    connect(m_merge, &QPushButton::clicked, this, &EditConfigDialog::merge);
    connect(m_versions, &QComboBox::activated, this, &EditConfigDialog::restore);
    m_before = m_base = cluster.config ? cluster.config->config.raw : std::string();
    m_asYaml->setChecked(true);
    setText(m_base);
    setCluster(cluster, now);
    resize(860, 640);
    m_editor->setFocus();
}

QWidget *EditConfigDialog::buildHead()
{
    auto *head = new QWidget(this);
    auto *line = new QHBoxLayout(head);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(grid);
    for (QRadioButton *button : {m_asYaml, m_asJson}) {
        liftIndicator(button);
        line->addWidget(button);
    }
    line->addStretch(1);
    auto *label = new QLabel(tr("&Start again from"), head);
    label->setBuddy(m_versions);
    m_versions->setAccessibleName(tr("Earlier configurations that were seen"));
    m_versions->setToolTip(tr("Puts a configuration that was seen since the program started into the editor. Nothing is written by that."));
    line->addWidget(label);
    line->addWidget(m_versions);
    return head;
}

QWidget *EditConfigDialog::buildBelow()
{
    m_below->setDocumentMode(true);
    m_below->addTab(m_diff, tr("&Difference"));
    m_below->addTab(m_findings, tr("&Remarks"));
    m_below->setMinimumHeight(10 * fontMetrics().height());
    return m_below;
}

std::string EditConfigDialog::stored() const
{
    return cluster().config ? cluster().config->config.raw : std::string();
}

bool EditConfigDialog::movedOn() const
{
    return stored() != m_base;
}

void EditConfigDialog::setText(const std::string &json)
{
    m_editor->setPlainText(m_tools.write(json, m_yaml));
    m_later.stop();
    read();
}

// The other form of what is typed; what cannot be read stays as it is.
void EditConfigDialog::setYaml(bool yaml)
{
    if (yaml == m_yaml)
        return;
    m_later.stop();
    read();
    if (m_reading.json.empty()) {
        const QSignalBlocker quiet(m_asYaml);
        (m_yaml ? m_asYaml : m_asJson)->setChecked(true);
        return;
    }
    m_yaml = yaml;
    setText(m_reading.json);
}

void EditConfigDialog::read()
{
    m_reading = m_tools.read(m_editor->toPlainText(), m_yaml);
    check();
}

rules::ActionWish EditConfigDialog::wish() const
{
    rules::ActionWish wish;
    wish.kind = rules::ActionKind::EditConfig;
    wish.configBase = m_base;
    wish.configAfter = m_later.isActive() ? m_tools.read(m_editor->toPlainText(), m_yaml).json : m_reading.json;
    return wish;
}

void EditConfigDialog::setWish(const rules::ActionWish &wish)
{
    m_before = m_base = wish.configBase;
    setText(wish.configAfter);
}

void EditConfigDialog::setCluster(const patroni::Cluster &cluster, Now now)
{
    ActionDialog::setCluster(cluster, now);
    showVersions();
}

void EditConfigDialog::tick(Now now)
{
    if (m_later.isActive()) // the remarks would be about what stood there before
        return;
    ActionDialog::tick(now);
}

void EditConfigDialog::merge()
{
    const ConfigMerged merged = m_tools.merge(m_base, m_reading.json, stored());
    if (!merged.error.isEmpty()) {
        m_mergeNote = merged.error;
        check();
        return;
    }
    QStringList said;
    if (!merged.theirs.isEmpty())
        said << tr("Taken from the other change: %1.").arg(merged.theirs.join(u", "_s));
    for (const QString &conflict : merged.conflicts)
        said << tr("Both changed %1; the other change stands now.").arg(conflict);
    m_mergeNote = said.join(u'\n');
    m_base = stored();
    setText(merged.json);
}

QString EditConfigDialog::difference() const
{
    return m_diff->toPlainText();
}

QString EditConfigDialog::merged() const
{
    return m_moved->text();
}

// Each configuration that was seen, newest first, with when; equal ones once.
void EditConfigDialog::showVersions()
{
    std::vector<std::string> texts;
    QStringList titles;
    const auto &all = cluster().snapshots;
    for (std::size_t i = all.size(); i > 0; --i) {
        const patroni::Snapshot &snapshot = all[i - 1];
        const auto found = snapshot.annotations.find("config");
        if (snapshot.object != cluster().names.configName || found == snapshot.annotations.end()
            || std::find(texts.begin(), texts.end(), found->second) != texts.end())
            continue;
        texts.push_back(found->second);
        const QString when = timeText(now().toWall(snapshot.seen));
        titles << (texts.size() == 1 ? tr("what is stored, seen %1").arg(when) : tr("seen %1").arg(when));
    }
    if (texts == m_earlier && m_versions->count() == titles.size())
        return;
    m_earlier = texts;
    m_versions->clear();
    m_versions->addItems(titles);
    m_versions->setEnabled(!titles.isEmpty());
}

void EditConfigDialog::restore(int index)
{
    if (index < 0 || index >= int(m_earlier.size()))
        return;
    m_before = m_base = stored(); // an earlier one replaces what is there now, knowingly
    m_mergeNote.clear();
    setText(m_earlier[std::size_t(index)]);
}

// What is wrong with the text itself; it cannot be judged any further.
void EditConfigDialog::judgeUnreadable(Judged &judged) const
{
    const QString where = m_reading.line > 0 ? tr("Line %1: %2").arg(m_reading.line).arg(m_reading.error) : m_reading.error;
    judged.problems << ShownProblem{Severity::Blocks, where};
    judged.remarks << where;
    if (m_reading.line > 0)
        judged.marked[m_reading.line] = true;
}

void EditConfigDialog::judgeSettings(Judged &judged) const
{
    const QString typed = m_editor->toPlainText();
    for (const ConfigProblem &problem : m_tools.check(m_reading.json, cluster())) {
        const int line = lineOf(typed, problem.path);
        const QString text = line > 0 ? tr("Line %1: %2").arg(line).arg(problem.text) : problem.text;
        judged.remarks << text;
        if (problem.severity != Severity::Note)
            judged.problems << ShownProblem{problem.severity, text};
        if (line > 0 && problem.severity != Severity::Note)
            judged.marked[line] = judged.marked[line] || problem.severity == Severity::Blocks;
    }
    if (m_yaml && m_tools.hasComments(typed))
        judged.problems << ShownProblem{Severity::Note, tr("Comments are not kept: Patroni stores JSON.")};
}

void EditConfigDialog::judgeDifference(Judged &judged) const
{
    const bool together = !movedOn() && m_before != m_base; // somebody else's change is in it
    QStringList lines;
    bool differs = false;
    for (const ConfigDiffLine &line :
         together ? m_tools.diffOfThree(m_before, stored(), m_reading.json) : m_tools.diff(stored(), m_reading.json)) {
        lines << (line.theirs ? u"* "_s : together ? u"  "_s : QString()) + line.mark + u' ' + line.text;
        differs = differs || (line.mark != u' ' && !line.theirs);
    }
    if (together)
        lines.prepend(tr("Lines marked * are somebody else's change and are stored already; the others are yours."));
    judged.difference = differs ? lines.join(u'\n') : tr("Nothing changes.");
    if (!differs)
        judged.problems << ShownProblem{Severity::Blocks, tr("Nothing is changed yet.")};
}

QList<ShownProblem> EditConfigDialog::ownProblems()
{
    Judged judged;
    if (m_reading.json.empty()) {
        judgeUnreadable(judged);
    } else {
        judgeSettings(judged);
        judgeDifference(judged);
    }
    if (movedOn())
        judged.problems << ShownProblem{Severity::Blocks,
                                        tr("The stored configuration has changed since you began. Put both changes together first.")};
    showJudged(judged);
    return judged.problems;
}

void EditConfigDialog::showJudged(const Judged &judged)
{
    const auto count = judged.remarks.size();
    put(m_diff, judged.difference);
    put(m_findings, count == 0 ? tr("Patroni takes it as it stands.") : judged.remarks.join(u'\n'));
    m_below->setTabText(1, count == 0 ? tr("&Remarks") : tr("&Remarks (%1)").arg(count));
    m_editor->setMarked(judged.marked);
    m_merge->setVisible(movedOn());
    m_merge->setEnabled(!m_reading.json.empty());
    m_moved->say(Tone::Warning, movedOn() ? tr("Somebody else has changed the configuration since you began.") : m_mergeNote);
}

} // namespace switchyard::views
