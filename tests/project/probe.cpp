// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Does nothing: that it links is the test. The whole of one layer's library is in it, with only the Qt modules that layer may use.
int main()
{
    return 0;
}
