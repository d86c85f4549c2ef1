namespace MqttCheck.Plots.Data;

/// <summary>The promised and the actual error of a statistical rule.</summary>
/// <param name="Rule">The rule.</param>
/// <param name="Promised">The error that it promises.</param>
/// <param name="Actual">The error that it makes.</param>
/// <param name="IsGuarantee">Whether it is offered as a guarantee.</param>
/// <param name="IsKept">Whether the promise is kept.</param>
internal sealed record AuditedError(string Rule, double Promised, double Actual, bool IsGuarantee, bool IsKept);
