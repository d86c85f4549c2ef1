namespace MqttCheck.Server.Hosting;

/// <summary>A request that is refused, with the reason that the answer gives.</summary>
internal sealed class Refusal : Exception
{
    /// <summary>A refusal.</summary>
    /// <param name="status">The status code of HTTP.</param>
    /// <param name="reason">Why, for people.</param>
    public Refusal(int status, string reason)
        : base(reason) => Status = status;

    /// <summary>The status code of HTTP.</summary>
    public int Status { get; }
}
