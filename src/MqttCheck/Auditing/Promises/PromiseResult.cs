using MqttCheck.Statistics;

namespace MqttCheck.Auditing.Promises;

/// <summary>A line of the table of promises, simulated.</summary>
/// <param name="Audit">The audit that it belongs to.</param>
/// <param name="Cell">The cell.</param>
/// <param name="Count">The number of simulations and of wrong answers among them.</param>
/// <param name="Bounds">The bounds of the error, 99 % for the whole table.</param>
/// <param name="Status">Whether the promise is kept.</param>
internal sealed record PromiseResult(
    IPromiseAudit Audit,
    PromiseCell Cell,
    PromiseCount Count,
    Interval Bounds,
    PromiseStatus Status
)
{
    /// <summary>The share of wrong answers relative to the stated error; null where nothing is promised.</summary>
    public double? Ratio => Count.WrongShare / Cell.Promise;

    /// <summary>
    /// The share of wrong answers relative to all that is allowed, the exception included; null where nothing is
    /// promised.
    /// </summary>
    public double? RatioToAllowed => Count.WrongShare / Cell.Allowed;
}
