// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lab/desk.h"

#include "views/dialogs/confirm_write_dialog.h"
#include "views/dialogs/member_picker.h"
#include "views/dialogs/results_dialog.h"
#include "views/dialogs/when_box.h"
#include "views/pages/cluster/action_buttons.h"
#include "views/pages/fleet_page.h"
#include "views/widgets/message_dialog.h"
#include "views/words_actions.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QCompleter>
#include <QContextMenuEvent>
#include <QDateTimeEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QStyleOptionViewItem>
#include <QTableWidget>
#include <QTimer>

#include <algorithm>

namespace switchyard::lab {

using namespace Qt::StringLiterals;
using rules::ActionKind;

namespace {

QString plain(QString text)
{
    return text.remove(u'&');
}

QPushButton *button(const QWidget *in, const QString &text)
{
    for (QPushButton *b : in->findChildren<QPushButton *>()) {
        if (b->isVisible() && plain(b->text()).startsWith(text))
            return b;
    }
    return nullptr;
}

// Where a box is drawn in its cell
QPoint boxOf(const QTableWidget *table, const QTableWidgetItem *item)
{
    QStyleOptionViewItem option;
    option.initFrom(table);
    option.widget = table;
    option.rect = table->visualItemRect(item);
    option.features = QStyleOptionViewItem::HasCheckIndicator | QStyleOptionViewItem::HasDisplay;
    option.text = item->text();
    return table->style()->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &option, table).center();
}

template<class Button>
void clickAtStart(Button *b) // a box or a radio button may be far wider than its text
{
    QTest::mouseClick(b, Qt::LeftButton, {}, QPoint(8, b->height() / 2));
}

// Part by part, each as if it were clicked
void typeTime(QDateTimeEdit *edit, Instant at)
{
    QString digits = QString::fromStdString(formatUtc(std::chrono::floor<std::chrono::seconds>(at)));
    digits.remove(QRegularExpression(u"[^0-9]"_s));
    qsizetype from = 0;
    for (const auto part : {QDateTimeEdit::YearSection, QDateTimeEdit::MonthSection, QDateTimeEdit::DaySection, QDateTimeEdit::HourSection,
                            QDateTimeEdit::MinuteSection, QDateTimeEdit::SecondSection}) {
        const qsizetype count = part == QDateTimeEdit::YearSection ? 4 : 2;
        edit->setSelectedSection(part);
        QTest::keyClicks(edit, digits.mid(from, count));
        from += count;
    }
}

} // namespace

QString scopeOf(const Side &side)
{
    return QString::fromStdString(side.scope);
}

QString patronictl(const Side &side, const QStringList &arguments)
{
    const CommandResult result = run(QStringList{u"patronictl"_s, side.cluster} + arguments);
    return QString::fromUtf8(result.out + result.err);
}

QString number(const std::string &pod)
{
    return QString::fromStdString(pod).section(u'-', -1);
}

QString startedAt(const Side &side, const std::string &member)
{
    return QString::fromUtf8(run({u"sql"_s, side.cluster, number(member), u"select pg_postmaster_start_time()"_s}).out).trimmed();
}

QString logSince(const std::string &member, Instant since)
{
    const QString from = u"--since-time="_s + QString::fromStdString(formatUtc(since));
    return QString::fromUtf8(run({u"kubectl"_s, u"logs"_s, QString::fromStdString(member), from}).out);
}

void bothSides()
{
    QTest::addColumn<int>("index");
    QTest::newRow("Endpoints") << 0;
    QTest::newRow("ConfigMaps") << 1;
}

bool isLeader(const Side &side, const std::string &member)
{
    return patronictl(side, {u"list"_s, scopeOf(side)}).contains(QRegularExpression(QString::fromStdString(member) + u".*Leader"_s));
}

Desk::Desk()
{
    desktop::DesktopOptions options;
    options.kubeconfig = kubeconfig(u"operator"_s);
    options.settingsFile = m_folder.filePath(u"settings.ini"_s);
    program = std::make_unique<desktop::Desktop>(options);
    program->window()->show();
    program->start();
}

const patroni::Cluster *Desk::cluster(const Side &side) const
{
    for (const patroni::Cluster *c : program->monitor()->store().clusters()) {
        if (c->names.key.scope == side.scope)
            return c;
    }
    return nullptr;
}

bool Desk::calm(const Side &side) const
{
    const patroni::Cluster *c = cluster(side);
    if (!c || c->lock.state != patroni::LockState::Held || !c->leaderName || c->pendingRequest() || c->membersUp() != 3)
        return false;
    return std::ranges::all_of(c->members,
                               [c](const patroni::Member &m) { return m.record.state == "running" && m.record.timeline == c->timeline; });
}

std::string Desk::leader(const Side &side) const
{
    return cluster(side)->leaderName.value_or("");
}

std::string Desk::replica(const Side &side) const
{
    for (const patroni::Member &m : cluster(side)->members) {
        if (m.record.name != cluster(side)->leaderName)
            return m.record.name;
    }
    return {};
}

bool Desk::ready(const Side &side)
{
    if (!QTest::qWaitFor([&] { return calm(side); }, 2 * patience))
        return false;
    program->window()->showPage(views::Page::Fleet);
    const auto *page = opened<views::FleetPage>();
    if (!page)
        return false;
    const auto row = [&] {
        const auto keys = page->shown();
        return static_cast<int>(std::ranges::find(keys, cluster(side)->names.key) - keys.begin());
    };
    if (!QTest::qWaitFor([&] { return row() < static_cast<int>(page->shown().size()); }, patience))
        return false;
    const QPoint at = page->table()->visualRect(page->table()->model()->index(row(), items::FleetModel::Scope)).center();
    QTest::mouseClick(page->table()->viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(page->table()->viewport(), Qt::LeftButton, {}, at);
    return opened<views::ActionButtons>() && program->window()->openedCluster() == cluster(side)->names.key;
}

bool Desk::press(const QWidget *in, const QString &text)
{
    if (!in || !QTest::qWaitFor([&] { return button(in, text) && button(in, text)->isEnabled(); }, patience)) {
        qWarning("no button that can be pressed: %s", qPrintable(text));
        return false;
    }
    QTest::mouseClick(button(in, text), Qt::LeftButton);
    return true;
}

// A menu may run an event loop of its own, and then the click must come from within
bool Desk::pick(const QString &entry, const std::function<void()> &open) const
{
    bool done = false, picked = false;
    QTimer hand;
    QObject::connect(&hand, &QTimer::timeout, &hand, [&] {
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        if (!menu || done)
            return;
        done = true;
        for (QAction *action : menu->actions()) {
            if (!action->isVisible() || !action->isEnabled() || !plain(action->text()).startsWith(entry))
                continue;
            picked = true;
            QTest::mouseMove(menu, menu->actionGeometry(action).center());
            QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
            return;
        }
        qWarning("no entry that can be chosen: %s", qPrintable(entry));
        menu->close();
    });
    hand.start(std::chrono::milliseconds(10));
    open();
    (void)QTest::qWaitFor([&] { return done && !QApplication::activePopupWidget(); }, patience);
    return picked;
}

bool Desk::ask(ActionKind kind)
{
    const auto *buttons = opened<views::ActionButtons>();
    if (!buttons)
        return false;
    if (const QPushButton *direct = buttons->button(kind))
        return press(buttons, plain(direct->text()));
    if (!QTest::qWaitFor([&] { return buttons->action(kind)->isEnabled() && buttons->action(kind)->isVisible(); }, patience)) {
        qWarning("%s: %s", qPrintable(views::words(kind)), qPrintable(buttons->action(kind)->toolTip()));
        return false;
    }
    return pick(plain(views::actionTitle(kind)), [&] { QTest::mouseClick(buttons->more(), Qt::LeftButton); });
}

bool Desk::askForAll(const QString &entry)
{
    program->window()->showPage(views::Page::Fleet);
    const auto *page = opened<views::FleetPage>();
    if (!page)
        return false;
    QWidget *cells = page->table()->viewport();
    QPoint at;
    for (int row = 0; row < page->table()->model()->rowCount(); ++row) {
        at = page->table()->visualRect(page->table()->model()->index(row, items::FleetModel::Scope)).center();
        QTest::mouseClick(cells, Qt::LeftButton, row == 0 ? Qt::NoModifier : Qt::ControlModifier, at);
    }
    return pick(entry, [&] {
        QContextMenuEvent menu(QContextMenuEvent::Mouse, at, cells->mapToGlobal(at));
        QApplication::sendEvent(cells, &menu);
    });
}

bool Desk::choose(const std::string &candidate)
{
    auto *dialog = opened<views::ChooseDialog>();
    const auto *table = dialog ? dialog->findChild<QTableWidget *>() : nullptr;
    if (!table)
        return false;
    for (QTableWidgetItem *item : table->findItems(QString::fromStdString(candidate), Qt::MatchExactly))
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualItemRect(item).center());
    return QTest::qWaitFor([&] { return dialog->wish().candidate == candidate; }, patience);
}

bool Desk::tick(const std::string &member, bool on)
{
    const auto *dialog = opened<views::ChooseDialog>();
    const auto *table = dialog ? dialog->findChild<views::MemberPicker *>() : nullptr;
    if (!table)
        return false;
    const auto items = table->findItems(QString::fromStdString(member), Qt::MatchExactly);
    const Qt::CheckState wanted = on ? Qt::Checked : Qt::Unchecked;
    if (items.isEmpty())
        return false;
    if (items.front()->checkState() != wanted)
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, boxOf(table, items.front()));
    return items.front()->checkState() == wanted;
}

bool Desk::chooseOnly(const std::string &member)
{
    const auto *dialog = opened<views::ChooseDialog>();
    if (!dialog)
        return false;
    for (const std::string &other : dialog->wish().members) {
        if (other != member && !tick(other, false))
            return false;
    }
    return tick(member, true) && dialog->wish().members == std::vector<std::string>{member};
}

bool Desk::chooseTime(Instant at)
{
    const auto *dialog = opened<views::ChooseDialog>();
    auto *box = dialog ? dialog->findChild<views::WhenBox *>() : nullptr;
    if (!box)
        return false;
    clickAtStart(box->findChildren<QRadioButton *>().at(1));
    auto *zone = box->findChildren<QComboBox *>().at(0);
    QTest::mouseClick(zone->lineEdit(), Qt::LeftButton);
    QTest::keyClick(zone->lineEdit(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(zone->lineEdit(), u"UTC"_s);
    if (QWidget *names = zone->completer()->popup(); names->isVisible())
        QTest::keyClick(names, Qt::Key_Escape);
    typeTime(box->findChild<QDateTimeEdit *>(), at);
    const auto typed = box->time().instant;
    if (!box->scheduled() || typed != at)
        qWarning("typed %s, meant %s", typed ? formatUtc(*typed).c_str() : "nothing", formatUtc(at).c_str());
    return box->scheduled() && typed == at;
}

bool Desk::confirm(const QString &verb)
{
    if (!press(opened<views::ConfirmWriteDialog>(), verb))
        return false;
    return QTest::qWaitFor([this] { return !shown<views::ConfirmWriteDialog>(); }, patience);
}

QString Desk::closeMessages()
{
    QStringList said;
    const auto close = [&said](QDialog *dialog, const QString &text) {
        said << dialog->windowTitle() + u": "_s + text;
        dialog->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    };
    while (auto *results = shown<views::ResultsDialog>())
        close(results, results->text());
    while (auto *message = shown<views::MessageDialog>()) {
        QStringList lines;
        for (const QLabel *label : message->findChildren<QLabel *>())
            lines << label->text();
        close(message, lines.join(u' '));
    }
    qInfo("said: %s", qPrintable(said.join(u"; "_s)));
    return said.join(u'\n');
}

} // namespace switchyard::lab
