// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/exec_consent.h"

#include "app/desktop/context_book.h"
#include "views/dialogs/exec_consent_dialog.h"
#include "views/main_window.h"

namespace switchyard::desktop {

using Answer = views::ExecConsentDialog::Answer;

namespace {

kube::ExecTrust::Answer toTrust(Answer answer)
{
    switch (answer) {
    case Answer::Always: return kube::ExecTrust::Answer::Always;
    case Answer::Once: return kube::ExecTrust::Answer::Once;
    case Answer::No: break;
    }
    return kube::ExecTrust::Answer::No;
}

} // namespace

void offerConsent(ContextBook *book, views::MainWindow *window)
{
    QObject::connect(book, &ContextBook::asked, window, [book, window](const QString &hash) {
        const kube::ExecQuestion *q = book->question(hash);
        if (!q)
            return;
        auto *dialog = new views::ExecConsentDialog({q->context, q->user, q->file, q->program, q->commandLine, q->environment}, window);
        QObject::connect(dialog, &views::ExecConsentDialog::answered, book,
                         [book, hash](Answer answer) { book->answer(hash, toTrust(answer)); });
        dialog->show();
    });
}

} // namespace switchyard::desktop
