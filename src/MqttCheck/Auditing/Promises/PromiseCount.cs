namespace MqttCheck.Auditing.Promises;

/// <summary>How simulated measurements ended.</summary>
/// <param name="Wrong">Those with a wrong answer.</param>
/// <param name="Withheld">Those without an answer.</param>
/// <param name="Trials">All of them.</param>
internal readonly record struct PromiseCount(long Wrong, long Withheld, long Trials)
{
    /// <summary>The share of wrong answers.</summary>
    public double WrongShare => Trials == 0 ? 0 : (double)Wrong / Trials;

    /// <summary>The share without an answer.</summary>
    public double WithheldShare => Trials == 0 ? 0 : (double)Withheld / Trials;

    /// <summary>The sum of two counts.</summary>
    /// <param name="left">One.</param>
    /// <param name="right">The other.</param>
    public static PromiseCount operator +(PromiseCount left, PromiseCount right) =>
        new(left.Wrong + right.Wrong, left.Withheld + right.Withheld, left.Trials + right.Trials);
}
