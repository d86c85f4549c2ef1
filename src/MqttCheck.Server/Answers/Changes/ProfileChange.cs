using MqttCheck.Profiles;
using MqttCheck.Profiles.Behaviours;
using MqttCheck.Protocol;
using MqttCheck.Server.Questions;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Server.Answers.Changes;

/// <summary>One change of a scenario that may help.</summary>
/// <param name="Name">The change in words.</param>
/// <param name="Apply">Makes it; null where there is nothing to change.</param>
internal sealed record ProfileChange(string Name, Func<WhatIfScenario, WhatIfScenario?> Apply)
{
    private const int MostTopics = 65_536;

    /// <summary>The changes that are tried one at a time.</summary>
    public static IReadOnlyList<ProfileChange> All { get; } =
    [
        new("Clients wait twice as long", scenario => With(scenario, Slower)),
        new("A tenth fewer clients", Fewer),
        new("Twice as many topics", scenario => With(scenario, Spread)),
        new("Publications and subscriptions at QoS 0", scenario => With(scenario, AtMostOnce)),
        new("Payloads half as large", scenario => With(scenario, Lighter)),
    ];

    private static WhatIfScenario? With(WhatIfScenario scenario, Func<UsageProfile, UsageProfile> change)
    {
        var population = scenario.Population with
        {
            Groups = [.. scenario.Population.Groups.Select(group => group with { Profile = change(group.Profile) })],
        };
        var changed = ProfileDocument.Of(population);
        return changed.Sha256 == scenario.Profile.Sha256 ? null : scenario with { Profile = changed };
    }

    private static WhatIfScenario? Fewer(WhatIfScenario scenario)
    {
        var clients = (int)Math.Round(.9 * scenario.Clients);
        return clients == scenario.Clients || clients < 1 ? null : scenario with { Clients = clients };
    }

    private static UsageProfile Slower(UsageProfile profile) =>
        profile with
        {
            WaitMilliseconds = Twice(profile.WaitMilliseconds)!,
            Waits = profile.Waits is { } waits
                ? new(
                    Twice(waits.Connect),
                    Twice(waits.Disconnect),
                    Twice(waits.Publish),
                    Twice(waits.Subscribe),
                    Twice(waits.Unsubscribe)
                )
                : null,
            Simultaneous = profile.Simultaneous is { } instants
                ? instants with
                {
                    EverySeconds = Math.Min(2 * instants.EverySeconds, BehaviourKeys.LongestPeriod),
                }
                : null,
        };

    // A profile file allows no longer waits.
    private static Law? Twice(Law? law) =>
        law switch
        {
            ConstantLaw constant => new ConstantLaw(Doubled(constant.Value)),
            UniformLaw uniform => new UniformLaw(Doubled(uniform.Minimum), Doubled(uniform.Maximum)),
            ExponentialLaw exponential => new ExponentialLaw(Doubled(exponential.MeanValue)),
            NormalLaw normal => new NormalLaw(Doubled(normal.Location), Doubled(normal.Sigma)),
            LogNormalLaw logNormal => new LogNormalLaw(Doubled(logNormal.Median), logNormal.Sigma),
            _ => law,
        };

    private static double Doubled(double milliseconds) => Math.Min(2 * milliseconds, LawKinds.Largest);

    // A name without a number of the topic is that of one.
    private static UsageProfile Spread(UsageProfile profile) =>
        profile.TopicName.Contains(UsageProfile.TopicField, StringComparison.Ordinal)
            ? profile with
            {
                Topics = Math.Min(2 * profile.Topics, MostTopics),
            }
            : profile;

    private static UsageProfile AtMostOnce(UsageProfile profile) =>
        profile with
        {
            Qos = QualityOfService.AtMostOnce,
            PublishQos = null,
            SubscriptionQos = null,
        };

    // The text of a payload is the user's own.
    private static UsageProfile Lighter(UsageProfile profile) =>
        profile.Payload is not null
            ? profile
            : profile with
            {
                MinimumPayloadBytes = Half(profile.MinimumPayloadBytes),
                MaximumPayloadBytes = Half(profile.MaximumPayloadBytes),
            };

    private static int Half(int bytes) => Math.Max(bytes / 2, UsageProfile.SmallestPayloadBytes);
}
