using MqttCheck.Auditing.Promises;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Auditing.Promises;

/// <summary>The promises of an audit, simulated.</summary>
internal static class SimulatedPromises
{
    /// <summary>
    /// Those that a lower 99.9 % bound shows to be broken: one that is exactly used up is among them in one of a
    /// thousand cases.
    /// </summary>
    public static string[] Broken(IPromiseAudit audit, ulong seed, long trials) =>
        [
            .. from one in audit.Cells.Index()
            where one.Item.Allowed is not null
            let count = PromiseTable.Simulate(one.Item, seed, (ulong)one.Index, 0, trials, threads: 2)
            where BinomialIntervals.LowerBound(count.Wrong, count.Trials, .001) > one.Item.Allowed
            select $"{one.Item.Key}: {count}",
        ];
}
