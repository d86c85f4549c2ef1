using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Scenarios;

/// <summary>A test case: what several clients do, in which order, and what of it at once.</summary>
/// <param name="Version">The protocol version of all clients that do not have another one.</param>
/// <param name="Steps">The lines.</param>
public sealed record Scenario(ProtocolVersion Version, ValueList<Step> Steps)
{
    /// <summary>The most clients that a scenario may have: A .. H.</summary>
    public const int MaximumClients = 8;

    private const int FewTimes = 100;

    /// <summary>How many clients it has.</summary>
    public int Clients { get; } = Steps.Count == 0 ? 0 : Steps.Max(step => step.Client) + 1;

    /// <summary>Whether it waits for intervals to pass, so that most of its run is waiting.</summary>
    public bool Waits => Steps.Any(step => step.Command is WaitCommand);

    /// <summary>Whether one of its commands sends so many messages that a run takes seconds.</summary>
    internal bool IsLong => Steps.Any(step => step.Command is PublishCommand { Times: > FewTimes });

    /// <summary>
    /// Whether it subscribes to what other runs on the same broker publish, so that runs beside it disturb it.
    /// </summary>
    public bool MeetsOthers =>
        Steps.Any(step =>
            step.Command is SubscribeCommand subscribe
            && subscribe.Requests.Any(request => TakesFromOthers(request.Filter))
        );

    /// <summary>The protocol version of a client, which its first CONNECT decides.</summary>
    /// <param name="client">Which client, from 0.</param>
    internal ProtocolVersion VersionOf(int client) => FirstOf(client)?.Version ?? Version;

    internal IdentifierKind IdentifierOf(int client) => FirstOf(client)?.Identifier ?? IdentifierKind.Plain;

    private ConnectCommand? FirstOf(int client) =>
        Steps
            .Where(step => step.Client == client)
            .Select(step => step.Command)
            .OfType<ConnectCommand>()
            .FirstOrDefault();

    internal static bool TakesFromOthers(string filter)
    {
        var levels = (
            filter.StartsWith("$share/", StringComparison.Ordinal) ? string.Join('/', filter.Split('/')[2..]) : filter
        ).Split('/');
        return levels[0] is "#" or "+" || (levels[0].Length == 0 && levels.Length > 1 && levels[1] is "#" or "+");
    }

    /// <summary>The same with at most a few messages for each command.</summary>
    internal Scenario Shortened() =>
        this with
        {
            Steps =
            [
                .. Steps.Select(step =>
                    step.Command is PublishCommand { Times: > FewTimes } publish
                        ? step with
                        {
                            Command = publish with { Times = FewTimes },
                        }
                        : step
                ),
            ],
        };

    /// <summary>The lines, joined by <c>; </c>; <see cref="ScenarioText.Parse"/> reads it.</summary>
    public override string ToString() => string.Join("; ", Steps);
}
