using MqttCheck.Broker.Routing;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Causes;

/// <summary>
/// Which statement a finding is about, once its smallest scenario is known. Every command of that is needed: a message
/// that is missing only after an UNSUBSCRIBE of another filter is not lost, it is a subscription that was ended.
/// </summary>
internal static class Attribution
{
    private static readonly HashSet<Statement> s_aboutOptions =
    [
        Statements.NoLocal,
        Statements.RetainFlagLive,
        Statements.DeliveryQos,
        Statements.SubscriptionIdentifiers,
    ];

    private static readonly HashSet<Statement> s_aboutStored =
    [
        Statements.RetainKept,
        Statements.RetainSent,
        Statements.RetainSentAgain,
    ];

    /// <summary>The finding under the statement that its smallest scenario shows to be violated.</summary>
    /// <param name="finding">The finding.</param>
    public static Finding Refine(Finding finding)
    {
        return Better(finding) is var (statement, circumstances)
            ? finding with
            {
                Statement = statement,
                Circumstances = $"{circumstances}: {finding.Circumstances}",
            }
            : finding;
    }

    private static (Statement Statement, string Circumstances)? Better(Finding finding)
    {
        var steps = finding.Scenario.Steps;
        // A later message that has come shows that the subscription is there.
        var isAbsent = finding.Deviation is { IsAbsence: true, IsOvertaken: false };
        var isMissing = isAbsent && finding.Statement == Statements.Delivered;
        var isLost = isMissing || (isAbsent && finding.Statement == Statements.OfflineQueue);
        if (isLost && UnsubscribesOther(steps))
            return (Statements.Unsubscribed, "another subscription ends");
        // A message that is lost only now and then, or only beside others, is not lost for the filters.
        var isPlain = finding is { Load: null, Beside.Count: 0 } && finding.Hits == finding.Replays;
        if (isLost && isPlain && SubscribesOverlapping(steps))
            return (Statements.OneCopy, "replaced by an overlapping filter");
        if (isMissing && OutstaysItsExpiry(steps))
            return (Statements.SessionExpiry, "over while its client is connected");
        var isOfSubscription = isMissing || s_aboutOptions.Contains(finding.Statement);
        if (isOfSubscription && ResumesBeforePublishing(steps) && !SubscribesAgain(steps, onOneConnection: true))
            return (Statements.SessionPresent, "subscriptions of a stored session");
        if (isOfSubscription && SubscribesAgain(steps, onOneConnection: false))
            return (Statements.OneCopy, "not replaced");
        if (!finding.Deviation.IsAbsence || !s_aboutStored.Contains(finding.Statement))
            return null;
        if (AsksForNewOnly(steps))
            return (Statements.RetainHandling, "nothing sent with 1");
        return PublishesBeside(steps) ? (Statements.RetainUntouched, "gone after a message without RETAIN") : null;
    }

    // No UNSUBSCRIBE names a filter that could have brought the message.
    private static bool UnsubscribesOther(IReadOnlyList<Step> steps)
    {
        var ended = steps
            .Select(step => step.Command)
            .OfType<UnsubscribeCommand>()
            .SelectMany(u => u.Filters)
            .ToHashSet();
        return ended.Count > 0 && Subscriptions(steps).Any(subscription => !ended.Contains(subscription.Filter));
    }

    // There are two filters of one client, and nothing else that could be the reason.
    private static bool SubscribesOverlapping(IReadOnlyList<Step> steps)
    {
        var subscriptions = Subscriptions(steps).Distinct().ToArray();
        return subscriptions is [var first, var second]
            && first.Client == second.Client
            && !IsShared(first.Filter)
            && !IsShared(second.Filter)
            && FilterRelations.Overlap(first.Filter, second.Filter);
    }

    private static bool SubscribesAgain(IReadOnlyList<Step> steps, bool onOneConnection)
    {
        var subscribed = new HashSet<(int Client, string Filter)>();
        foreach (var step in steps)
        {
            if (onOneConnection && step.Command is ConnectCommand)
                subscribed.RemoveWhere(subscription => subscription.Client == step.Client);
            if (Subscriptions([step]).Any(subscription => !subscribed.Add(subscription)))
                return true;
        }
        return false;
    }

    // All stay connected, and one of them for longer than its session outlives a connection.
    private static bool OutstaysItsExpiry(IReadOnlyList<Step> steps)
    {
        var connects = new Dictionary<int, ConnectCommand>();
        var milliseconds = 0L;
        foreach (var step in steps)
            switch (step.Command)
            {
                case ConnectCommand { KeepAliveSeconds: null } connect when connects.TryAdd(step.Client, connect):
                case SubscribeCommand or PublishCommand:
                    break;
                case WaitCommand wait:
                    milliseconds += wait.Milliseconds;
                    break;
                default:
                    return false;
            }
        return Subscriptions(steps)
            .Any(subscription =>
                connects.GetValueOrDefault(subscription.Client)?.SessionExpirySeconds is > 0 and var seconds
                && seconds * 1000L <= milliseconds
            );
    }

    // Somebody subscribes and comes back to its session before anything is published.
    private static bool ResumesBeforePublishing(IReadOnlyList<Step> steps)
    {
        var subscribed = new HashSet<int>();
        var hasResumed = false;
        foreach (var step in steps)
        {
            if (step.Command is SubscribeCommand)
                subscribed.Add(step.Client);
            else if (step.Command is ConnectCommand { Clean: false } && subscribed.Contains(step.Client))
                hasResumed = true;
            else if (step.Command is PublishCommand)
                return hasResumed;
        }
        return false;
    }

    private static bool AsksForNewOnly(IReadOnlyList<Step> steps) =>
        steps.Select(step => step.Command).OfType<SubscribeCommand>().LastOrDefault() is { } last
        && last.Requests.All(request => request.RetainHandling == RetainHandling.SendIfNew);

    private static bool PublishesBeside(IReadOnlyList<Step> steps)
    {
        var stored = new HashSet<string>(StringComparer.Ordinal);
        foreach (var publish in steps.Select(step => step.Command).OfType<PublishCommand>())
        {
            if (publish is { Retain: true, Empty: false })
                stored.Add(publish.Topic);
            else if (!publish.Retain && stored.Contains(publish.Topic))
                return true;
        }
        return false;
    }

    private static IEnumerable<(int Client, string Filter)> Subscriptions(IReadOnlyList<Step> steps) =>
        steps.SelectMany(step =>
            step.Command is SubscribeCommand subscribe
                ? subscribe.Requests.Select(request => (step.Client, request.Filter))
                : []
        );

    private static bool IsShared(string filter) => filter.StartsWith("$share/", StringComparison.Ordinal);
}
