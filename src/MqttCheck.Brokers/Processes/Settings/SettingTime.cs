using System.Globalization;

namespace MqttCheck.Brokers.Processes.Settings;

/// <summary>A time as a value of a setting: whole seconds, minutes or hours, up to a day.</summary>
internal static class SettingTime
{
    /// <summary>The word that stands for a time.</summary>
    public const string Word = "TIME";

    private const int Longest = 86_400;

    private static readonly (string Unit, int Seconds)[] s_units = [("min", 60), ("s", 1), ("h", 3600)];

    /// <summary>Reads a time of at least a second.</summary>
    public static bool TryParse(string text, out int seconds)
    {
        seconds = 0;
        foreach (var (unit, length) in s_units)
        {
            if (
                text.EndsWith(unit, StringComparison.Ordinal)
                && int.TryParse(text[..^unit.Length], NumberStyles.None, CultureInfo.InvariantCulture, out var number)
                && number is >= 1 and <= Longest
                && number * length <= Longest
            )
            {
                seconds = number * length;
                return true;
            }
        }
        return false;
    }
}
