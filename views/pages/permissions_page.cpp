// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/permissions_page.h"

#include "views/pages/cluster/fit_columns.h"
#include "views/pages/cluster/parts.h"
#include "views/pages/permissions/rights_table.h"
#include "views/style/metrics.h"
#include "views/widgets/empty_state.h"
#include "views/widgets/sentence.h"
#include "views/words.h"
#include "views/words_permissions.h"

#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using items::ContextRights;
using rules::RoleKind;

struct PermissionsPage::Impl
{
    void build(PermissionsPage *page);
    QWidget *buildRole(PermissionsPage *page);
    void addRole(PermissionsPage *page, const QString &name, const QString &accessible);
    void show();
    void showAge();
    void showEmpty();
    void setRole(QPlainTextEdit *edit, RoleKind kind) const;
    void fit();
    void save(PermissionsPage *page);
    QPlainTextEdit *shownRole() const { return roles[tabs->currentIndex()]; }
    const ContextRights *chosen() const;

    std::vector<ContextRights> rights;
    Now now;
    bool replay = false;
    items::PermissionsModel model;
    RightsPresenter presenter{&model};

    QStackedWidget *stack = nullptr;
    EmptyState *empty = nullptr;
    Sentence *sentence = nullptr;
    QLabel *contextCaption = nullptr, *age = nullptr, *copied = nullptr;
    QComboBox *context = nullptr;
    QTableView *table = nullptr;
    QTabWidget *tabs = nullptr;
    QList<QPlainTextEdit *> roles; // viewing, operating
    int fittedRows = -1;
};

void PermissionsPage::Impl::build(PermissionsPage *page)
{
    auto *outer = new QVBoxLayout(page);
    outer->setContentsMargins(pageMargin, pageMargin, pageMargin, grid);
    stack = new QStackedWidget(page);
    outer->addWidget(stack);
    empty = new EmptyState(page);
    auto *content = new QWidget(page);
    stack->addWidget(content);
    stack->addWidget(empty);
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid);
    sentence = new Sentence(page);
    column->addWidget(sentence);
    context = new QComboBox(page);
    context->setAccessibleName(tr("Context"));
    context->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    contextCaption = new CaptionLabel(tr("Context"), page);
    age = new CaptionLabel({}, page);
    auto *line = new QHBoxLayout;
    line->setSpacing(grid);
    line->addWidget(contextCaption);
    line->addWidget(context);
    line->addStretch();
    line->addWidget(age);
    column->addLayout(line);
    auto *halves = new QSplitter(Qt::Vertical, page);
    halves->setChildrenCollapsible(false);
    table = new QTableView(page);
    presenter.setFont(table->font());
    presenter.present(table, tr("Rights that are needed"));
    halves->addWidget(table);
    halves->addWidget(buildRole(page));
    halves->setStretchFactor(0, 3);
    halves->setStretchFactor(1, 2);
    column->addWidget(halves, 1);
}

QWidget *PermissionsPage::Impl::buildRole(PermissionsPage *page)
{
    auto *part = new QWidget(page);
    auto *column = new QVBoxLayout(part);
    column->setContentsMargins(0, grid, 0, 0);
    column->setSpacing(grid / 2);
    auto *copy = new QPushButton(tr("&Copy"), page);
    copy->setToolTip(tr("Copy the Role that is shown"));
    auto *saveAs = new QPushButton(tr("Save &as\u2026"), page);
    saveAs->setToolTip(tr("Save the Role that is shown, for kubectl apply -f"));
    copied = new CaptionLabel({}, page);
    auto *line = new QHBoxLayout;
    line->setSpacing(grid);
    line->addWidget(new CaptionLabel(tr("What to ask a cluster administrator for; give it to kubectl apply -f"), page));
    line->addStretch();
    line->addWidget(copied);
    line->addWidget(copy);
    line->addWidget(saveAs);
    column->addLayout(line);
    tabs = new QTabWidget(page);
    tabs->setDocumentMode(true);
    column->addWidget(tabs, 1);
    addRole(page, tr("Read-only"), tr("Role for watching"));
    addRole(page, tr("Operating"), tr("Role for watching and switchovers"));
    connect(copy, &QPushButton::clicked, page, [this] {
        QGuiApplication::clipboard()->setText(shownRole()->toPlainText());
        copied->setText(tr("Copied."));
    });
    connect(saveAs, &QPushButton::clicked, page, [this, page] { save(page); });
    connect(tabs, &QTabWidget::currentChanged, page, [this] { copied->clear(); });
    return part;
}

void PermissionsPage::Impl::addRole(PermissionsPage *page, const QString &name, const QString &accessible)
{
    auto *edit = new QPlainTextEdit(page);
    edit->setReadOnly(true);
    edit->setLineWrapMode(QPlainTextEdit::NoWrap);
    edit->setTabChangesFocus(true);
    edit->setAccessibleName(accessible);
    edit->setFont(monospaceFont(page->font()));
    edit->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    roles.append(edit);
    tabs->addTab(edit, name);
}

void PermissionsPage::Impl::save(PermissionsPage *page)
{
    const QString name = tabs->currentIndex() == 0 ? u"switchyard-viewer.yaml"_s : u"switchyard-operator.yaml"_s;
    auto *dialog = new QFileDialog(page, tr("Save the Role"), {}, tr("YAML (*.yaml *.yml)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->selectFile(name);
    const QString text = shownRole()->toPlainText();
    connect(dialog, &QFileDialog::fileSelected, page, [page, text](const QString &file) { Q_EMIT page->saveRequested(file, text); });
    dialog->open();
}

const ContextRights *PermissionsPage::Impl::chosen() const
{
    const auto found = std::find_if(rights.begin(), rights.end(),
                                    [&](const ContextRights &r) { return r.context == context->currentData().toString(); });
    return found == rights.end() ? nullptr : &*found;
}

// A text that stays as it was keeps its selection and place.
void PermissionsPage::Impl::setRole(QPlainTextEdit *edit, RoleKind kind) const
{
    const QString role = text(rules::suggestedRole(chosen()->scope, kind, chosen()->account));
    if (edit->toPlainText() != role.trimmed() + u'\n')
        edit->setPlainText(role.trimmed() + u'\n');
}

void PermissionsPage::Impl::fit()
{
    if (fittedRows == model.rowCount())
        return growColumn(table, items::PermissionsModel::Answer);
    fittedRows = model.rowCount();
    fitColumns(table, {items::PermissionsModel::Object}, 320, 60);
}

void PermissionsPage::Impl::show()
{
    const ContextRights *of = chosen();
    stack->setCurrentIndex(of ? 0 : 1);
    if (!of) {
        model.clear();
        return showEmpty();
    }
    const RightsSentence said = rightsSentence(*of);
    sentence->set(said.tone, said.text);
    contextCaption->setVisible(rights.size() > 1);
    context->setVisible(rights.size() > 1);
    model.update(*of);
    fit();
    setRole(roles[0], RoleKind::Viewing);
    setRole(roles[1], RoleKind::Operating);
    showAge();
}

void PermissionsPage::Impl::showEmpty()
{
    if (replay)
        empty->set(tr("A recording is shown"), tr("It does not tell what an account may do."));
    else
        empty->set(tr("No context is open"), tr("Open one on the page Contexts (Ctrl+6); what its account may do is shown here."));
}

void PermissionsPage::Impl::showAge()
{
    const ContextRights *of = chosen();
    if (!of)
        return;
    std::optional<Boot> oldest;
    QString silent; // why there is no answer
    for (const auto &[right, answer] : of->answers) {
        if (answer.kind == rules::Answer::Kind::Unknown)
            silent = answer.reason.empty() ? silent : text(answer.reason);
        else
            oldest = oldest ? std::min(*oldest, answer.at) : answer.at;
    }
    age->setText(oldest ? tr("Asked %1; asked anew every five minutes, after a refusal, and with F5").arg(agoText(oldest, now))
                        : tr("No answer yet; asked again by itself, and with F5"));
    age->setToolTip(silent);
}

PermissionsPage::PermissionsPage(QWidget *parent)
    : QWidget(parent)
    , d(std::make_unique<Impl>())
{
    d->build(this);
    connect(d->context, &QComboBox::currentIndexChanged, this, [this] {
        d->fittedRows = -1;
        d->copied->clear();
        d->show();
    });
    d->show();
}

PermissionsPage::~PermissionsPage() = default;

void PermissionsPage::setRights(const std::vector<ContextRights> &rights)
{
    d->rights = rights;
    {
        const QSignalBlocker blocked(d->context);
        const QString before = d->context->currentData().toString();
        d->context->clear();
        for (const ContextRights &r : rights)
            d->context->addItem(r.context, r.context);
        d->context->setCurrentIndex(std::max(0, d->context->findData(before)));
    }
    d->show();
}

void PermissionsPage::setReplay(bool replay)
{
    d->replay = replay;
    d->show();
}

void PermissionsPage::choose(const QString &context)
{
    if (const int index = d->context->findData(context); index >= 0)
        d->context->setCurrentIndex(index);
}

void PermissionsPage::tick(Now now)
{
    d->now = now;
    d->showAge();
}

void PermissionsPage::focusTable()
{
    d->table->setFocus();
}

void PermissionsPage::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange && d && d->table) {
        d->presenter.setFont(font());
        for (QPlainTextEdit *edit : d->roles)
            edit->setFont(monospaceFont(font()));
        d->fittedRows = -1;
        d->fit();
    }
}

} // namespace switchyard::views
