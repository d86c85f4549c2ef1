using System.Globalization;

namespace MqttCheck.Profiles.Workloads;

/// <summary>
/// The messages before those that count: the same load for some time, or a number of messages of each publisher with
/// pauses.
/// </summary>
/// <param name="Messages">The number of messages of each publisher; 0 for a time.</param>
/// <param name="Time">The time, or the pause after each message.</param>
internal readonly record struct LoadWarmUp(int Messages, TimeSpan Time)
{
    /// <summary>The same load for some time.</summary>
    /// <param name="time">The time, 0 for no warm-up.</param>
    public static LoadWarmUp Lasting(TimeSpan time) => new(0, time);

    /// <summary>How long it lasts.</summary>
    public TimeSpan Duration => Messages == 0 ? Time : Messages * Time;

    /// <summary>Finds what is out of range.</summary>
    internal IEnumerable<string> Validate()
    {
        if (Messages is < 0 or > 1000)
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"Warm-up: {Messages} messages are out of range; allowed: 0 .. 1000."
            );
        if (Time < TimeSpan.Zero || Duration > TimeSpan.FromHours(1))
            yield return $"Warm-up: {Duration} is out of range; allowed: 0 .. 1 h.";
        if (Messages > 0 && Time <= TimeSpan.Zero)
            yield return "Warm-up: there is no time between its messages; allowed: a positive time.";
    }

    /// <summary>In words.</summary>
    public override string ToString() =>
        Messages == 0
            ? string.Create(CultureInfo.InvariantCulture, $"{Time.TotalSeconds:0.###} s")
            : string.Create(
                CultureInfo.InvariantCulture,
                $"{Messages} messages of each publisher, {Time.TotalSeconds:0.###} s apart"
            );
}
