namespace MqttCheck.Sequential.Runs;

/// <summary>A run with a smaller share than the user vouched for: see <see cref="VouchedWorst"/>.</summary>
/// <param name="Run">Its number among all runs that were made, from 1.</param>
/// <param name="Share">Its share in time.</param>
/// <param name="Of">Whose run it is; null where there is one broker.</param>
public readonly record struct RunBelowWorst(int Run, double Share, string? Of = null);
