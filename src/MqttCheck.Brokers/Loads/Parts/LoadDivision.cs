using MqttCheck.Brokers.Fleets.Parts;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.Brokers.Loads.Parts;

/// <summary>
/// Divides a load: subscriber i and all publishers that send to it are in part i mod n. Each part therefore knows the
/// outcomes of its messages, and times of different clocks are never compared.
/// </summary>
internal static class LoadDivision
{
    /// <summary>Refuses a load that cannot be divided.</summary>
    /// <exception cref="InputException">The load cannot be divided; the message names a remedy.</exception>
    public static void Require(LoadSetup setup)
    {
        var workload = setup.Workload;
        if (workload.Shape == WorkloadShape.FanOut)
            throw new InputException(
                $"--workers: workload {workload.Name} is a fan-out, where each subscriber gets every message; allowed "
                    + "with workers: pairs and fan-in, or a usage profile (--profile)."
            );
        if (
            WorkloadTopics.Topic(workload, "a/", 0) == WorkloadTopics.Topic(workload, "b/", 0)
            || WorkloadTopics.Filter(workload, "a/", 0) == WorkloadTopics.Filter(workload, "b/", 0)
        )
            throw new InputException(
                $"--workers: workload {workload.Name} has topics without {{prefix}}, which the workers would share; "
                    + "allowed with workers: a topic and a filter with {prefix} in them."
            );
        if (setup.Nodes is not null)
            throw new InputException("--workers: several brokers given; allowed with workers: one broker.");
    }

    /// <summary>How many parts a load can have.</summary>
    public static int Most(LoadSetup setup) => Math.Min(setup.Workload.Subscribers, setup.Workload.Publishers);

    /// <summary>A part of a load.</summary>
    /// <param name="setup">The whole load.</param>
    /// <param name="part">The number of the part, from 0.</param>
    /// <param name="parts">How many there are, at most <see cref="Most"/>.</param>
    public static LoadSetup Part(LoadSetup setup, int part, int parts)
    {
        var workload = setup.Workload;
        var publishers = Enumerable
            .Range(0, workload.Publishers)
            .Count(publisher => WorkloadTopics.Receiver(workload, publisher) % parts == part);
        return setup with
        {
            Workload = workload with
            {
                Publishers = publishers,
                Subscribers = new FleetShare(part, parts).Of(workload.Subscribers),
                MessagesPerSecond = workload.MessagesPerSecond * publishers / workload.Publishers,
            },
            // A part has its own topics, clients, payloads and arrivals.
            Prefix = string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{setup.Prefix}{part}/"),
            Seed = unchecked(setup.Seed + (ulong)part),
        };
    }
}
