namespace MqttCheck.Server.Hosting;

/// <summary>A request that is refused, with the reason that the answer gives.</summary>
/// <param name="status">The status code of HTTP.</param>
/// <param name="reason">Why, for people.</param>
internal sealed class Refusal(int status, string reason) : Exception(reason)
{
    /// <summary>The status code of HTTP.</summary>
    public int Status { get; } = status;
}
