namespace MqttCheck.Latency.Nagle;

/// <summary>
/// How long the receivers of a publication went on withholding acknowledgements after it was sent; a broker that leaves
/// Nagle's algorithm on keeps its deliveries back as long.
/// </summary>
/// <param name="Milliseconds">Until the last of them acknowledged; 0 if none withheld one.</param>
/// <param name="ByTimer">
/// Whether it had sent nothing by then, so that it acknowledged when its system's timer ran out:
/// <see cref="Milliseconds"/> is then the least time to that.
/// </param>
internal readonly record struct NagleHold(double Milliseconds, bool ByTimer)
{
    /// <summary>Whether any receiver withheld one.</summary>
    public bool Any => ByTimer || Milliseconds > 0;
}
