using MqttCheck.Protocol;

namespace MqttCheck.Conformance;

/// <summary>Simpler variants of a scenario, the boldest first. Every variant can be run: a command that makes no sense in a state is left out by the run.</summary>
public static class ScenarioShrinker
{
    /// <summary>The variants.</summary>
    /// <param name="scenario">The scenario.</param>
    public static IEnumerable<Scenario> Shrink(Scenario scenario)
    {
        ArgumentNullException.ThrowIfNull(scenario);
        var steps = scenario.Steps.ToArray();
        // Fewer commands: large pieces first.
        for (var piece = steps.Length / 2; piece > 0; piece /= 2)
        {
            for (var start = 0; start + piece <= steps.Length; start += piece)
                if (steps.Length > piece) yield return With(scenario, [.. steps[..start], .. steps[(start + piece)..]]);
        }
        for (var client = 0; client < scenario.Clients; client++)
        {
            var others = steps.Where(step => step.Client != client).ToArray();
            if (others.Length > 0 && others.Length < steps.Length) yield return With(scenario, others);
        }
        // One client instead of two.
        for (var client = 1; client < scenario.Clients; client++)
            for (var other = 0; other < client; other++)
                yield return With(scenario, [.. steps.Select(step => step.Client == client ? step with { Client = other } : step)]);
        if (steps.Any(step => step.Concurrent)) yield return With(scenario, [.. steps.Select(step => step with { Concurrent = false })]);
        // The same topic everywhere.
        foreach (var name in steps.SelectMany(step => Names(step.Command)).Distinct().Where(name => name != "~/a").ToArray())
            yield return With(scenario, [.. steps.Select(step => step with { Command = Rename(step.Command, name, "~/a") })]);
        for (var i = 0; i < steps.Length; i++)
        {
            if (steps[i].Concurrent) yield return Replace(steps[i] with { Concurrent = false }, i);
            foreach (var simpler in Simpler(steps[i].Command)) yield return Replace(steps[i] with { Command = simpler }, i);
        }

        Scenario Replace(Step step, int index)
        {
            Step[] changed = [.. steps];
            changed[index] = step;
            return With(scenario, changed);
        }
    }

    /// <summary>The scenario with clients named in the order of their appearance.</summary>
    /// <param name="scenario">The scenario.</param>
    public static Scenario Normalise(Scenario scenario)
    {
        ArgumentNullException.ThrowIfNull(scenario);
        var names = scenario.Steps.Select(step => step.Client).Distinct().ToList();
        return scenario with { Steps = [.. scenario.Steps.Select((step, i) => step with { Client = names.IndexOf(step.Client), Concurrent = i > 0 && step.Concurrent })] };
    }

    /// <summary>The scenario with one and the same plain topic everywhere, to see whether what it shows has to do with topics.</summary>
    /// <param name="scenario">The scenario.</param>
    public static Scenario WithPlainTopic(Scenario scenario)
    {
        ArgumentNullException.ThrowIfNull(scenario);
        var steps = scenario.Steps.ToArray();
        foreach (var name in steps.SelectMany(step => Names(step.Command)).Distinct().ToArray())
            steps = [.. steps.Select(step => step with { Command = Rename(step.Command, name, "~/a") })];
        return With(scenario, steps);
    }

    private static Scenario With(Scenario scenario, Step[] steps) => Normalise(new Scenario(scenario.Version, [.. steps]));

    private static IEnumerable<Command> Simpler(Command command) => command switch
    {
        ConnectCommand connect => Simpler(connect),
        DisconnectCommand { WithWill: true } => [new DisconnectCommand()],
        SubscribeCommand subscribe => Simpler(subscribe),
        UnsubscribeCommand { Filters.Count: > 1 } unsubscribe => unsubscribe.Filters.Select(filter => new UnsubscribeCommand([filter])),
        PublishCommand publish => Simpler(publish),
        _ => [],
    };

    private static IEnumerable<Command> Simpler(ConnectCommand connect)
    {
        var plain = new ConnectCommand(connect.Clean);
        if (connect != plain) yield return plain;
        if (!connect.Clean) yield return new ConnectCommand(true);
        if (connect.WillTopic is not null)
        {
            yield return connect with { WillTopic = null, WillQos = default, WillRetain = false };
            if (connect.WillRetain) yield return connect with { WillRetain = false };
            for (var qos = QualityOfService.AtMostOnce; qos < connect.WillQos; qos++) yield return connect with { WillQos = qos };
        }
        if (connect.ReceiveMaximum is not null) yield return connect with { ReceiveMaximum = null };
        if (connect.TopicAliasMaximum is not null) yield return connect with { TopicAliasMaximum = null };
        if (connect.SessionExpirySeconds is not null) yield return connect with { SessionExpirySeconds = null };
    }

    private static IEnumerable<Command> Simpler(SubscribeCommand subscribe)
    {
        if (subscribe.Identifier is not null) yield return subscribe with { Identifier = null };
        for (var i = 0; i < subscribe.Requests.Count; i++)
        {
            var request = subscribe.Requests[i];
            if (subscribe.Requests.Count > 1) yield return subscribe with { Requests = [.. subscribe.Requests.Where((_, at) => at != i)] };
            var plain = new SubscriptionRequest(request.Filter, request.Qos);
            if (request != plain) yield return Replace(plain, i);
            if (request.NoLocal) yield return Replace(request with { NoLocal = false }, i);
            if (request.RetainAsPublished) yield return Replace(request with { RetainAsPublished = false }, i);
            if (request.RetainHandling != RetainHandling.Send) yield return Replace(request with { RetainHandling = RetainHandling.Send }, i);
            for (var qos = QualityOfService.AtMostOnce; qos < request.Qos; qos++) yield return Replace(request with { Qos = qos }, i);
        }

        SubscribeCommand Replace(SubscriptionRequest request, int index)
        {
            var requests = subscribe.Requests.ToArray();
            requests[index] = request;
            return subscribe with { Requests = [.. requests] };
        }
    }

    private static IEnumerable<Command> Simpler(PublishCommand publish)
    {
        var plain = new PublishCommand(publish.Topic, publish.Qos);
        if (publish != plain) yield return plain;
        for (var qos = QualityOfService.AtMostOnce; qos < publish.Qos; qos++) yield return publish with { Qos = qos, Cut = PublishCut.None, Repeat = false, Duplicate = false };
        if (publish.Retain) yield return publish with { Retain = false };
        if (publish.Empty) yield return publish with { Empty = false };
        if (publish.Duplicate) yield return publish with { Duplicate = false };
        if (publish.Repeat) yield return publish with { Repeat = false };
        if (publish.Cut != PublishCut.None) yield return publish with { Cut = PublishCut.None };
        if (publish.Alias is not null) yield return publish with { Alias = null };
        if (publish.WithProperties) yield return publish with { WithProperties = false };
        if (publish.ExpirySeconds is not null) yield return publish with { ExpirySeconds = null };
        if (publish.PayloadBytes > 0) yield return publish with { PayloadBytes = 0 };
    }

    private static IEnumerable<string> Names(Command command) => command switch
    {
        ConnectCommand { WillTopic: { } topic } => [topic],
        SubscribeCommand subscribe => subscribe.Requests.Select(request => request.Filter),
        UnsubscribeCommand unsubscribe => unsubscribe.Filters,
        PublishCommand publish => [publish.Topic],
        _ => [],
    };

    private static Command Rename(Command command, string from, string to) => command switch
    {
        ConnectCommand connect when connect.WillTopic == from => connect with { WillTopic = to },
        SubscribeCommand subscribe => subscribe with { Requests = [.. subscribe.Requests.Select(request => request.Filter == from ? request with { Filter = to } : request)] },
        UnsubscribeCommand unsubscribe => new UnsubscribeCommand([.. unsubscribe.Filters.Select(filter => filter == from ? to : filter)]),
        PublishCommand publish when publish.Topic == from => publish with { Topic = to },
        _ => command,
    };
}
