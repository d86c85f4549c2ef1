using MqttCheck.Profiles;

namespace MqttCheck.Learning.Data;

/// <summary>
/// One setup to run on the broker in order to learn from it. Either <see cref="Duration"/> or
/// <see cref="MessagesPerClient"/> limits it.
/// </summary>
/// <param name="Run">Its number, from 0: the log's column <c>run</c>.</param>
/// <param name="Clients">How many clients take part.</param>
/// <param name="Population">The behaviour of the clients.</param>
internal sealed record TrainingCase(int Run, int Clients, Population Population)
{
    /// <summary>How long clients keep starting exchanges; null if messages are counted instead.</summary>
    public TimeSpan? Duration { get; init; }

    /// <summary>How many messages each client sends; null if the time is limited instead.</summary>
    public int? MessagesPerClient { get; init; }
}
