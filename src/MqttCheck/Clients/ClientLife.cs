using System.Numerics;
using MqttCheck.Profiles;
using MqttCheck.Statistics;

namespace MqttCheck.Clients;

/// <summary>
/// The life of a client whose broker answers at once: it tells how a profile with an order or with instants waits, and
/// what it sends, where no formula does. The numbers are means over some sequences, the same at every call.
/// </summary>
/// <param name="MeanWaitMilliseconds">The mean wait before a message.</param>
/// <param name="Mix">How many messages of a sequence are of which kind.</param>
/// <param name="Followed">For each topic or filter: the share of messages before which the client followed it.</param>
internal sealed record ClientLife(double MeanWaitMilliseconds, MessageWeights Mix, IReadOnlyList<double> Followed)
{
    private const int Sequences = 64;
    private const int MostMessages = 20_000;

    /// <summary>The mean wait of a client before a message, over all stages, in milliseconds.</summary>
    /// <param name="profile">The profile.</param>
    public static double MeanWaitOf(UsageProfile profile) =>
        !profile.IsScripted ? profile.MeanWaitMilliseconds
        : profile.Stages.Count == 0 ? Of(profile).MeanWaitMilliseconds
        : Of(profile).MeanWaitMilliseconds * profile.MeanWaitMilliseconds / profile.WaitMilliseconds.Mean;

    /// <summary>The weights by which a profile sends; with an order, the shares of its kinds.</summary>
    /// <param name="profile">The profile.</param>
    public static MessageWeights WeightsOf(UsageProfile profile) =>
        profile.IsScripted ? Of(profile).Mix : profile.Weights;

    /// <summary>The life of a client of a profile, at a load of 1.</summary>
    /// <param name="profile">The profile.</param>
    public static ClientLife Of(UsageProfile profile)
    {
        var model = new ClientModel(profile with { Stages = [] });
        var random = RandomStream.For(1);
        var state = model.Begin(ref random);
        var subscribed = new ulong[model.Words];
        var followed = new long[64 * model.Words];
        var kinds = new double[MessageKinds.Count];
        double now = 0,
            waited = 0;
        long messages = 0;
        var last = Math.Clamp(MostMessages / profile.SequenceLength, 1, Sequences);
        while (state.Sequence <= last)
        {
            var wait = model.NextWaitMilliseconds(state, ref random, now);
            var action = model.Next(state, subscribed, last, ref random);
            now += wait;
            if (action.Phase == ExchangePhase.Counted)
            {
                (waited, messages) = (waited + wait, messages + 1);
                kinds[(int)action.Kind]++;
                for (var word = 0; word < subscribed.Length; word++)
                for (var bits = subscribed[word]; bits != 0; bits &= bits - 1)
                    followed[(word << 6) + BitOperations.TrailingZeroCount(bits)]++;
            }
            model.Complete(ref state, subscribed, action, success: true, now);
        }
        return new(
            waited / messages,
            new(
                kinds[(int)MessageKind.Connect],
                kinds[(int)MessageKind.Disconnect],
                kinds[(int)MessageKind.Publish],
                kinds[(int)MessageKind.Subscribe],
                kinds[(int)MessageKind.Unsubscribe]
            ),
            Array.ConvertAll(followed, count => (double)count / messages)
        );
    }
}
