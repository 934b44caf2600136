// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/namespaces_dialog.h"

#include "models/items/contexts_model.h"
#include "views/pages/cluster/parts.h"
#include "views/style/metrics.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;

NamespacesDialog::NamespacesDialog(const QStringList &contexts, const QStringList &chosen, QWidget *parent)
    : QDialog(parent)
    , m_own(new QRadioButton(tr("The &context's own, as the kubeconfig says"), this))
    , m_all(new QRadioButton(tr("&All namespaces"), this))
    , m_these(new QRadioButton(tr("&These, one a line:"), this))
    , m_list(new QPlainTextEdit(this))
    , m_problem(new QLabel(this))
{
    setWindowTitle(tr("Namespaces"));
    setMinimumWidth(440);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
    layout->setSpacing(grid);
    auto *head = new QLabel(contexts.size() == 1 ? tr("Which namespaces of %1 shall be watched?").arg(contexts.front())
                                                 : tr("Which namespaces of these %1 contexts shall be watched?").arg(contexts.size()),
                            this);
    head->setTextFormat(Qt::PlainText);
    head->setWordWrap(true);
    layout->addWidget(head);
    for (QRadioButton *choice : {m_own, m_all, m_these}) {
        liftIndicator(choice);
        layout->addWidget(choice);
        connect(choice, &QRadioButton::toggled, this, &NamespacesDialog::check);
    }
    m_list->setAccessibleName(tr("Namespaces, one a line"));
    m_list->setTabChangesFocus(true);
    m_list->setPlaceholderText(tr("payments"));
    layout->addWidget(m_list, 1);
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    layout->addWidget(m_problem);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_ok = buttons->button(QDialogButtonBox::Ok);
    m_ok->setText(tr("&Watch these"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
    connect(m_list, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_list->toPlainText().isEmpty())
            m_these->setChecked(true);
        check();
    });
    const bool all = chosen == QStringList{QString()};
    if (!all && !chosen.isEmpty())
        m_list->setPlainText(chosen.join(u'\n'));
    (chosen.isEmpty() ? m_own : all ? m_all : m_these)->setChecked(true);
    (m_these->isChecked() ? static_cast<QWidget *>(m_list) : m_own)->setFocus();
    check();
}

QStringList NamespacesDialog::typed() const
{
    static const QRegularExpression between(u"[\\s,;]+"_s);
    QStringList names = m_list->toPlainText().split(between, Qt::SkipEmptyParts);
    names.removeDuplicates();
    return names;
}

QStringList NamespacesDialog::namespaces() const
{
    return m_own->isChecked() ? QStringList() : m_all->isChecked() ? QStringList{QString()} : typed();
}

void NamespacesDialog::check()
{
    if (!m_ok)
        return;
    QString problem;
    if (m_these->isChecked()) {
        const QStringList names = typed();
        const auto bad = std::find_if_not(names.begin(), names.end(), items::isNamespaceName);
        if (names.isEmpty())
            problem = tr("Type at least one namespace.");
        else if (bad != names.end())
            problem = tr("\"%1\" is no name of a namespace: lower-case letters, digits and \"-\" only.").arg(*bad);
    }
    m_problem->setText(problem);
    m_ok->setEnabled(problem.isEmpty());
}

} // namespace switchyard::views
