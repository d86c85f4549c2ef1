using System.Globalization;

namespace MqttCheck;

/// <summary>Checks of the values that options have.</summary>
internal static class OptionChecks
{
    /// <summary>What is wrong: what, the value given, the allowed range, where.</summary>
    /// <param name="where">Where the options come from.</param>
    /// <param name="checks">Whether a value is allowed, what it is, the value, and what is allowed.</param>
    /// <returns>One message for each value that is not allowed.</returns>
    public static IReadOnlyList<string> Findings(
        string where,
        params (bool Holds, string What, double Value, string Allowed)[] checks
    ) =>
        [
            .. checks
                .Where(check => !check.Holds)
                .Select(check =>
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{where}: {check.What} is {check.Value}; it must be {check.Allowed}."
                    )
                ),
        ];
}
