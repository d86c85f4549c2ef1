namespace MqttCheck.Reports.Input;

/// <summary>A coefficient of a linear regression.</summary>
/// <param name="Regressor">The regressor of the coefficient; a kind of message is relative to connect.</param>
/// <param name="Coefficient">Milliseconds per unit.</param>
/// <param name="StandardError">Its standard error.</param>
/// <param name="T">The t statistic.</param>
/// <param name="P">The two-sided p-value.</param>
public sealed record RegressionRow(string Regressor, double Coefficient, double StandardError, double T, double P);
