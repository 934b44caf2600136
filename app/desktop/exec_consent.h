// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Brings the questions of the context book before the user, one window each, and the answers back.
namespace switchyard::views {
class MainWindow;
}

namespace switchyard::desktop {

class ContextBook;

void offerConsent(ContextBook *book, views::MainWindow *window);

} // namespace switchyard::desktop
