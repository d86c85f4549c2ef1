namespace MqttCheck.Testing;

/// <summary>Durations as they are read aloud: <c>50.Milliseconds()</c>.</summary>
public static class Durations
{
    /// <summary>So many milliseconds.</summary>
    /// <param name="number">The number.</param>
    public static TimeSpan Milliseconds(this int number) => TimeSpan.FromMilliseconds(number);

    /// <summary>So many milliseconds.</summary>
    /// <param name="number">The number.</param>
    public static TimeSpan Milliseconds(this double number) => TimeSpan.FromMilliseconds(number);

    /// <summary>So many seconds.</summary>
    /// <param name="number">The number.</param>
    public static TimeSpan Seconds(this int number) => TimeSpan.FromSeconds(number);

    /// <summary>So many seconds.</summary>
    /// <param name="number">The number.</param>
    public static TimeSpan Seconds(this double number) => TimeSpan.FromSeconds(number);
}
