// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/contexts_page.h"

#include "views/dialogs/namespaces_dialog.h"
#include "views/pages/cluster/parts.h"
#include "views/pages/contexts/context_detail.h"
#include "views/pages/contexts/context_table.h"
#include "views/style/marks.h"
#include "views/style/metrics.h"
#include "views/widgets/empty_state.h"
#include "views/widgets/filter_box.h"
#include "views/widgets/sentence.h"
#include "views/widgets/table_copy.h"

#include <QAction>
#include <QClipboard>
#include <QDataStream>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using items::ContextRow;
using items::ContextsModel;

constexpr qint32 stateVersion = 1;

struct ContextsPage::Impl
{
    Impl(ContextsPage *page, ContextsModel *model);
    void build();
    void buildActions();
    void connectAll();
    QPushButton *button(QAction *action, const QString &text);
    QWidget *buildLine();
    QAction *add(const QString &text, const QKeySequence &keys, const std::function<void()> &what);
    void describe();
    void describeChosen();
    void openOrShow();
    void askNamespaces();
    void askAlias();
    void copyProblem();
    void menu(const QPoint &at);
    QPixmap chip(const QString &colour) const;

    ContextsPage *q;
    ContextsModel *contexts;
    Sentence *sentence;
    Banner *notices;
    FilterBox *filter;
    QLabel *count;
    QStackedWidget *stack;
    QSplitter *splitter;
    QWidget *tools = nullptr; // the filter and the buttons
    ContextTable *table;
    ContextDetail *detail;
    EmptyState *empty;
    QAction *open = nullptr, *close = nullptr, *again = nullptr, *clusters = nullptr, *namespaces = nullptr, *favourite = nullptr,
            *alias = nullptr, *copyError = nullptr, *readOnly = nullptr, *isProtected = nullptr;
    QMenu *colour = nullptr;
    QList<QAction *> copy;
    QTimer later;
    QString notice;
    bool fixed = false;
    int measured = -1;
};

ContextsPage::Impl::Impl(ContextsPage *page, ContextsModel *model)
    : q(page)
    , contexts(model)
    , sentence(new Sentence(page))
    , notices(new Banner(page))
    , filter(new FilterBox(tr("Filter contexts  Ctrl+F"), page))
    , count(new CaptionLabel({}, page))
    , stack(new QStackedWidget(page))
    , splitter(new QSplitter(Qt::Vertical, page))
    , table(new ContextTable(model, page))
    , detail(new ContextDetail(page))
    , empty(new EmptyState(page))
{
    buildActions();
    build();
    connectAll();
    describe();
    describeChosen();
}

QAction *ContextsPage::Impl::add(const QString &text, const QKeySequence &keys, const std::function<void()> &what)
{
    auto *action = new QAction(text, table);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetShortcut); // of the table: a key in the filter field is a letter
    table->addAction(action);
    connect(action, &QAction::triggered, q, what);
    return action;
}

void ContextsPage::Impl::buildActions()
{
    open = add(tr("&Open"), Qt::CTRL | Qt::Key_Return, [this] { Q_EMIT q->openRequested(q->chosen()); });
    close = add(tr("&Close"), QKeySequence::Delete, [this] { Q_EMIT q->closeRequested(q->chosen()); });
    again = add(tr("Connect &again"), Qt::CTRL | Qt::SHIFT | Qt::Key_R, [this] { Q_EMIT q->againRequested(q->chosen()); });
    clusters = add(tr("&Show its clusters"), {}, [this] { Q_EMIT q->clustersRequested(q->chosen().value(0)); });
    namespaces = add(tr("&Namespaces\u2026"), Qt::CTRL | Qt::SHIFT | Qt::Key_N, [this] { askNamespaces(); });
    favourite = add(tr("&Favourite"), Qt::CTRL | Qt::Key_D, [this] { Q_EMIT q->favouriteChosen(q->chosen(), favourite->isChecked()); });
    favourite->setCheckable(true);
    readOnly = add(tr("&Read-only"), {}, [this] { Q_EMIT q->readOnlyChosen(q->chosen(), readOnly->isChecked()); });
    readOnly->setCheckable(true);
    readOnly->setToolTip(tr("Nothing is written to the clusters of this context until this is taken back."));
    isProtected = add(tr("&Protected"), {}, [this] { Q_EMIT q->protectedChosen(q->chosen(), isProtected->isChecked()); });
    isProtected->setCheckable(true);
    isProtected->setToolTip(tr("Before each write to its clusters, the name of the cluster is to be typed."));
    alias = add(tr("A&lias\u2026"), Qt::Key_F2, [this] { askAlias(); });
    copyError = add(tr("Copy &error"), Qt::CTRL | Qt::SHIFT | Qt::Key_E, [this] { copyProblem(); });
    colour = new QMenu(tr("Co&lour mark"), q);
    for (const QString &code : QStringList(QString()) + markCodes())
        connect(colour->addAction(markName(code)), &QAction::triggered, q, [this, code] { Q_EMIT q->colourChosen(q->chosen(), code); });
    connect(colour, &QMenu::aboutToShow, q, [this] { // in the colours of the present theme
        for (int i = 1; i < colour->actions().size(); ++i)
            colour->actions().at(i)->setIcon(chip(markCodes().at(i - 1)));
    });
    copy = addCopyActions(table);
}

QPixmap ContextsPage::Impl::chip(const QString &code) const
{
    QPixmap pixmap(12, 12);
    pixmap.fill(markColour(code, q->palette()));
    return pixmap;
}

// A button that does what the action does, and is enabled as it is.
QPushButton *ContextsPage::Impl::button(QAction *action, const QString &text)
{
    auto *made = new QPushButton(text, q);
    made->setAutoDefault(false);
    connect(made, &QPushButton::clicked, action, &QAction::trigger);
    const auto follow = [made, action] {
        made->setEnabled(action->isEnabled());
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        made->setToolTip(keys.isEmpty() ? action->toolTip() : u"%1 (%2)"_s.arg(action->toolTip(), keys));
    };
    connect(action, &QAction::changed, made, follow);
    follow();
    return made;
}

QWidget *ContextsPage::Impl::buildLine()
{
    auto *whole = new QWidget(q);
    auto *line = new QHBoxLayout(whole);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(grid);
    filter->setMaximumWidth(360);
    line->addWidget(filter);
    line->addWidget(count);
    line->addStretch();
    line->addWidget(button(open, tr("&Open")));
    line->addWidget(button(close, tr("&Close")));
    line->addWidget(button(again, tr("Connect &again")));
    line->addWidget(button(namespaces, tr("&Namespaces\u2026")));
    auto *more = new QPushButton(tr("&More"), q);
    auto *moreMenu = new QMenu(more);
    moreMenu->setToolTipsVisible(true);
    moreMenu->addActions({clusters, favourite, alias});
    moreMenu->addMenu(colour);
    moreMenu->addActions({readOnly, isProtected});
    moreMenu->addSeparator();
    moreMenu->addAction(copyError);
    more->setMenu(moreMenu);
    line->addWidget(more);
    return whole;
}

void ContextsPage::Impl::build()
{
    auto *layout = new QVBoxLayout(q);
    layout->setContentsMargins(pageMargin, pageMargin, pageMargin, 0);
    layout->setSpacing(grid + grid / 2);
    layout->addWidget(sentence);
    layout->addWidget(notices);
    tools = buildLine();
    layout->addWidget(tools);
    auto *scroll = new QScrollArea(q);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(detail);
    stack->addWidget(table);
    stack->addWidget(empty);
    splitter->addWidget(stack);
    splitter->addWidget(scroll);
    splitter->setStretchFactor(0, 1);
    splitter->setCollapsible(0, false);
    splitter->setSizes({400, 11 * q->fontMetrics().height()});
    layout->addWidget(splitter, 1);
}

void ContextsPage::Impl::connectAll()
{
    connect(filter, &FilterBox::filterChanged, q, [this](const QString &text) {
        table->proxy()->setWords(text);
        describe();
    });
    connect(filter, &FilterBox::leftDown, q, &ContextsPage::focusTable);
    connect(table, &QAbstractItemView::activated, q, [this](const QModelIndex &at) {
        if (at.column() != ContextsModel::Mark)
            openOrShow();
    });
    connect(table, &ContextTable::chosenChanged, q, [this] { describeChosen(); });
    connect(table, &ContextTable::starClicked, q, [this](const QString &name, bool on) { Q_EMIT q->favouriteChosen({name}, on); });
    connect(table, &QWidget::customContextMenuRequested, q, [this](const QPoint &at) { menu(table->viewport()->mapToGlobal(at)); });
    later.setSingleShot(true);
    later.setInterval(50ms);
    connect(&later, &QTimer::timeout, q, [this] {
        describe();
        describeChosen();
    });
    const auto soon = [this] {
        if (!later.isActive())
            later.start();
    };
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(contexts, signal, q, soon);
    connect(contexts, &QAbstractItemModel::dataChanged, q, soon);
}

void ContextsPage::Impl::describe()
{
    const int all = contexts->rowCount(), rows = table->proxy()->rowCount();
    sentence->set(contextsTone(*contexts), contextsSentence(*contexts));
    sentence->setVisible(all > 0);
    tools->setVisible(all > 0);
    notices->say(Tone::Warning, all > 0 ? notice : QString());
    count->setVisible(table->proxy()->filters());
    count->setText(tr("%1 of %2 shown").arg(rows).arg(all));
    if (all == 0)
        empty->set(tr("No contexts"), notice.isEmpty() ? tr("The kubeconfig holds no context.") : notice);
    else
        empty->set(tr("Nothing matches"), tr("No context matches the filter. Press Esc in the filter field to clear it."));
    stack->setCurrentWidget(rows == 0 ? static_cast<QWidget *>(empty) : table);
    splitter->widget(1)->setVisible(all > 0);
    if (measured != all) {
        measured = all;
        table->measure();
        table->fitColumns();
    }
}

void ContextsPage::Impl::describeChosen()
{
    const auto rows = table->chosen();
    const auto any = [&rows](auto what) { return std::any_of(rows.begin(), rows.end(), what); };
    const bool one = rows.size() == 1;
    open->setEnabled(!fixed && any([](const ContextRow *row) { return row->standing == items::Standing::Closed && !row->vanished; }));
    close->setEnabled(!fixed && any([](const ContextRow *row) { return row->open(); }));
    again->setEnabled(!fixed && any([](const ContextRow *row) { return row->open() || row->standing == items::Standing::Unusable; }));
    clusters->setEnabled(one && rows.front()->open());
    namespaces->setEnabled(!fixed && !rows.empty());
    alias->setEnabled(!fixed && one);
    favourite->setEnabled(!fixed && !rows.empty());
    favourite->setChecked(!rows.empty() && std::all_of(rows.begin(), rows.end(), [](const ContextRow *row) { return row->favourite; }));
    colour->setEnabled(!fixed && !rows.empty());
    const auto all = [&rows](auto what) { return !rows.empty() && std::all_of(rows.begin(), rows.end(), what); };
    readOnly->setEnabled(!fixed && !rows.empty());
    readOnly->setChecked(all([](const ContextRow *row) { return row->readOnly; }));
    isProtected->setEnabled(!fixed && !rows.empty());
    isProtected->setChecked(all([](const ContextRow *row) { return row->isProtected; }));
    copyError->setEnabled(any([](const ContextRow *row) { return !problemText(*row).isEmpty(); }));
    if (one)
        detail->show(*rows.front(), contexts->now());
    else
        detail->showCount(static_cast<int>(rows.size()));
}

// Enter and double click: open what is closed; of what is open show the clusters.
void ContextsPage::Impl::openOrShow()
{
    const auto rows = table->chosen();
    if (rows.size() == 1 && rows.front()->open())
        Q_EMIT q->clustersRequested(rows.front()->name);
    else if (open->isEnabled())
        open->trigger();
}

void ContextsPage::Impl::askNamespaces()
{
    const auto rows = table->chosen();
    if (rows.empty())
        return;
    QStringList names;
    for (const ContextRow *row : rows)
        names << row->shown();
    auto *dialog = new NamespacesDialog(names, rows.front()->chosen ? rows.front()->namespaces : QStringList(), q);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, q,
            [this, dialog, which = q->chosen()] { Q_EMIT q->namespacesChosen(which, dialog->namespaces()); });
    dialog->open();
}

void ContextsPage::Impl::askAlias()
{
    const auto rows = table->chosen();
    if (rows.size() != 1)
        return;
    auto *dialog = new QInputDialog(q);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Alias"));
    dialog->setLabelText(tr("Another name for %1, shown in its place. Empty: none.").arg(rows.front()->name));
    dialog->setTextValue(rows.front()->alias);
    connect(dialog, &QInputDialog::textValueSelected, q,
            [this, name = rows.front()->name](const QString &text) { Q_EMIT q->aliasChosen(name, text.simplified()); });
    dialog->open();
}

void ContextsPage::Impl::copyProblem()
{
    QStringList blocks;
    for (const ContextRow *row : table->chosen())
        if (const QString problem = problemText(*row); !problem.isEmpty())
            blocks << tr("context %1, server %2\n%3").arg(row->name, row->server, problem);
    QGuiApplication::clipboard()->setText(blocks.join(u"\n\n"_s));
}

void ContextsPage::Impl::menu(const QPoint &at)
{
    QMenu menu(q);
    menu.addActions({open, close, again, clusters});
    menu.addSeparator();
    menu.addActions({namespaces, favourite, alias});
    menu.addMenu(colour);
    menu.addActions({readOnly, isProtected});
    menu.setToolTipsVisible(true);
    menu.addSeparator();
    menu.addAction(copyError);
    menu.addActions(copy);
    menu.exec(at);
}

ContextsPage::ContextsPage(ContextsModel *contexts, QWidget *parent)
    : QWidget(parent)
    , d(std::make_unique<Impl>(this, contexts))
{}

ContextsPage::~ContextsPage() = default;

void ContextsPage::setNotice(const QString &text)
{
    d->notice = text;
    d->describe();
}

void ContextsPage::setFixed(bool fixed)
{
    d->fixed = fixed;
    d->describeChosen();
}

void ContextsPage::tick(Now now)
{
    d->contexts->tick(now);
    d->describe();
    d->describeChosen();
    d->table->measure();
    d->table->fitColumns();
}

void ContextsPage::focusFilter()
{
    d->filter->setFocus();
    d->filter->selectAll();
}

void ContextsPage::focusTable()
{
    d->table->setFocus();
    if (d->table->chosen().empty())
        d->table->selectRow(0);
}

QTableView *ContextsPage::table() const
{
    return d->table;
}

QByteArray ContextsPage::saveState() const
{
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out.setVersion(QDataStream::Qt_6_4);
    const QHeaderView *header = d->table->horizontalHeader();
    out << stateVersion << qint32(header->sortIndicatorSection()) << qint32(header->sortIndicatorOrder()) << d->splitter->saveState();
    return state;
}

void ContextsPage::restoreState(const QByteArray &state)
{
    QDataStream in(state);
    in.setVersion(QDataStream::Qt_6_4);
    qint32 version = 0, column = 0, order = 0;
    QByteArray splitter;
    in >> version >> column >> order >> splitter;
    if (in.status() != QDataStream::Ok || version != stateVersion || column < 0 || column >= ContextsModel::ColumnCount)
        return;
    d->table->sortByColumn(column, order == Qt::DescendingOrder ? Qt::DescendingOrder : Qt::AscendingOrder);
    d->splitter->restoreState(splitter);
}

QStringList ContextsPage::chosen() const
{
    QStringList names;
    for (const ContextRow *row : d->table->chosen())
        names << row->name;
    return names;
}

} // namespace switchyard::views
