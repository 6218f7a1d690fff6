// Calls a function that nobody defines, by a symbol whose name in C++ has some 10^11 characters:
// each of its template arguments is the one before, twice.
//
// Fails: a symbol with so many back references is shown as it is, and the judge has a limit of
// memory of its own.
void name_without_end() asm(
    "_Z1f1AIiiES_IS0_S0_ES_IS1_S1_ES_IS2_S2_ES_IS3_S3_ES_IS4_S4_ES_IS5_S5_ES_IS6_S6_ES_IS"
    "7_S7_ES_IS8_S8_ES_IS9_S9_ES_ISA_SA_ES_ISB_SB_ES_ISC_SC_ES_ISD_SD_ES_ISE_SE_ES_ISF_SF"
    "_ES_ISG_SG_ES_ISH_SH_ES_ISI_SI_ES_ISJ_SJ_ES_ISK_SK_ES_ISL_SL_ES_ISM_SM_ES_ISN_SN_ES_"
    "ISO_SO_ES_ISP_SP_ES_ISQ_SQ_ES_ISR_SR_ES_ISS_SS_ES_IST_ST_ES_ISU_SU_ES_ISV_SV_ES_ISW_"
    "SW_ES_ISX_SX_E");

void launch_reverse_tile(int*, const int*, int) {
  name_without_end();
}
