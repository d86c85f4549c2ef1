using System.Globalization;

namespace MqttCheck;

/// <summary>Checks of the values that options have.</summary>
internal static class OptionChecks
{
    /// <summary>The messages of the checks that do not hold.</summary>
    /// <param name="checks">Whether a check holds, and what is said otherwise.</param>
    public static IReadOnlyList<string> Unmet((bool Holds, FormattableString Otherwise)[] checks) =>
        Array.ConvertAll(
            Array.FindAll(checks, check => !check.Holds),
            check => FormattableString.Invariant(check.Otherwise)
        );

    /// <summary>The errors in the options: the name, the value given, the allowed range, the origin.</summary>
    /// <param name="where">The origin of the options.</param>
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
